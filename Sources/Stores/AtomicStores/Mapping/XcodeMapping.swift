import Foundation
import ModelFiles
import ObjectModel

/// A mapping model of Xcode (`xcmapping.xml`): an XML store of Xcode's own objects.
///
/// What it does not say, because Xcode makes it when it compiles the file, follows from the models.
struct XcodeMapping {
  /// The names of the versions of the model that it was made for, as the paths of both name them.
  let sourceVersion: String?
  let destinationVersion: String?
  private let entities: [Entity]

  /// A mapping of an entity as it is written.
  private struct Entity {
    let mapping: EntityMapping
    let attributes: [Property]
    let relationships: [Property]
  }

  private struct Property {
    let name: String
    let expression: FetchPredicate.Expression?
    /// What of the source the value is; nil for what has the same name.
    let sourceKeyPath: String?
    /// The mapping that makes the objects of a relationship; nil for the one that fits.
    let sourceMapping: String?

    /// The keys from the source, if there are several.
    var keyPath: [String]? {
      let keys = (sourceKeyPath ?? "").split(separator: ".").map(String.init)
      return keys.count > 1 ? keys : nil
    }
  }

  /// Reads a mapping model.
  ///
  /// - Throws: ``ModelFileError`` if the database is not a mapping model, or has an expression that
  ///   cannot be read.
  init(_ database: XMLDatabase) throws(ModelFileError) {
    let objects = Dictionary(firstOf: database.objects.map { ($0.id, $0) })
    guard
      let root = database.objects.first(where: { $0.type.uppercased() == "XDDEVMAPPINGMODEL" })
    else { throw ModelFileError(.malformed, detail: "it is no mapping model") }
    sourceVersion = root.text("sourcemodelpath").map(Self.version)
    destinationVersion = root.text("destinationmodelpath").map(Self.version)
    let mappings = root.ids("entitymappings").compactMap { objects[$0] }
      .sorted {
        (Int($0.text("mappingnumber") ?? "") ?? 0) < (Int($1.text("mappingnumber") ?? "") ?? 0)
      }
    var entities: [Entity] = []
    for object in mappings {
      var mapping = EntityMapping(
        object.text("sourcename"), to: object.text("destinationname"), name: object.text("name"),
        policyName: object.text("migrationpolicyclassname"))
      if object.text("mappingtypename") == "Remove" { mapping.destinationEntityName = nil }
      if let filter = object.text("sourcefilterpredicatestring") {
        try mapping.setPredicate(filter)
      } else if let data = object.data("sourceexpressiondata") {
        try mapping.setSource(MappingDecoder.expression(of: data))
      }
      entities.append(
        Entity(
          mapping: mapping,
          attributes: try Self.properties(object.ids("attributemappings"), objects),
          relationships: try Self.properties(object.ids("relationshipmappings"), objects)))
    }
    self.entities = entities
  }

  private static func version(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  private static func properties(_ ids: [String], _ objects: [String: XMLDatabase.Object])
    throws(ModelFileError) -> [Property]
  {
    var properties: [Property] = []
    for object in ids.compactMap({ objects[$0] }) {
      guard let name = object.text("name") else { continue }
      var expression: FetchPredicate.Expression?
      if let data = object.data("valueexpressiondata") {
        do throws(ModelFileError) { expression = try MappingDecoder.expression(of: data) } catch {
          throw error.of(name)
        }
      }
      properties.append(
        Property(
          name: name, expression: expression, sourceKeyPath: object.text("sourcekeypath"),
          sourceMapping: object.text("sourcemappingname")))
    }
    return properties.sorted { $0.name < $1.name }
  }

  /// The mapping model between two models.
  func model(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> MappingModel {
    MappingModel(
      entities.map { entity in
        var mapping = entity.mapping
        guard let name = mapping.sourceEntityName else {
          mapping.attributeMappings = entity.attributes.compactMap { property in
            property.expression.map { PropertyMapping(property.name, $0) }
          }
          return mapping
        }
        let before = source.entity(named: name)
        let after = mapping.destinationEntityName.flatMap(destination.entity(named:))
        mapping.attributeMappings = entity.attributes.compactMap { property in
          if let expression = property.expression {
            return PropertyMapping(property.name, expression)
          }
          if let path = property.keyPath { return PropertyMapping(property.name, keyPath: path) }
          let key = property.sourceKeyPath ?? property.name
          return before?.attribute(named: key) == nil
            ? nil : PropertyMapping(property.name, copying: key)
        }
        mapping.relationshipMappings = entity.relationships.compactMap { property in
          if let expression = property.expression {
            return PropertyMapping(property.name, expression)
          }
          if let path = property.keyPath { return PropertyMapping(property.name, keyPath: path) }
          guard
            let found = before?.relationship(named: property.sourceKeyPath ?? property.name)
          else { return nil }
          let target = after?.relationship(named: property.name)?.destinationEntityName
          return PropertyMapping(
            property.name, following: found.name,
            mapping: property.sourceMapping ?? self.mapping(of: found, to: target, source))
        }
        return mapping
      })
  }

  /// The only mapping between the entities to which two relationships lead; nil if there are several
  /// or none.
  private func mapping(
    of relationship: RelationshipDescription, to target: String?, _ source: ManagedObjectModel
  ) -> String? {
    let names = source.entityNames(inheritingFrom: relationship.destinationEntityName)
    let possible = entities.map(\.mapping).filter {
      $0.sourceEntityName.map(names.contains) ?? false && $0.destinationEntityName != nil
    }
    guard possible.count > 1, names.count == 1 else { return nil }
    return possible.filter { $0.destinationEntityName == target }.map(\.name).first
  }
}

extension XMLDatabase.Object {
  /// The text of an attribute; nil if it has none, or it is empty.
  fileprivate func text(_ name: String) -> String? {
    attributes.first { $0.name.lowercased() == name }.map(\.text).flatMap { $0.isEmpty ? nil : $0 }
  }

  fileprivate func data(_ name: String) -> Data? {
    text(name).flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
  }

  fileprivate func ids(_ name: String) -> [String] {
    relationships.first { $0.name.lowercased() == name }?.ids ?? []
  }
}
