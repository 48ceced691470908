import CardfileApp
import ObjectModel

/// A column of the output.
struct OutputColumn {
  enum Kind {
    case attribute(AttributeDescription)
    case toOne, toMany
    /// The object's URI.
    case objectID
    /// The name of the object's own entity.
    case entityName
  }

  let name: String
  let kind: Kind
  /// The names of the composites, from the outside, in whose JSON object the column is an element.
  var composites: [String] = []

  /// The last part of the name of a composite's element, else the name.
  var elementName: String {
    composites.isEmpty ? name : String(name.dropFirst(composites.joined(separator: ".").count + 1))
  }

  /// The name of the column that shows an object's URI.
  static let objectIDName = "objectID"
  /// The name of the column that shows the name of an object's own entity.
  static let entityColumnName = "entity"

  /// The columns of an entity, in the order of its attributes.
  static func all(of entity: EntityDescription, relationships: Bool) -> [OutputColumn] {
    entity.attributes.map { OutputColumn(name: $0.name, kind: .attribute($0)) }
      + (relationships ? entity.relationships.map(OutputColumn.init) : [])
  }

  /// The columns of an object of an entity: ID, entity, attributes by name, relationships by name.
  static func whole(of entity: EntityDescription, relationships: Bool) -> [OutputColumn] {
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let relationships = relationships ? entity.relationships.sorted { $0.name < $1.name } : []
    return [
      OutputColumn(name: objectIDName, kind: .objectID),
      OutputColumn(name: entityColumnName, kind: .entityName),
    ] + attributes.map(OutputColumn.init(element:))
      + relationships.map(OutputColumn.init)
  }

  /// The columns that `--columns` names: attributes, relationships, `objectID` and `entity`.
  static func named(_ text: String, of entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> [OutputColumn]
  {
    var columns: [OutputColumn] = []
    for name in NameList.split(text).map({ NameList.unquoted($0.text) }) {
      if entity.details.composites.contains(where: { $0.name == name }) {
        columns += entity.attributes.filter { $0.name.hasPrefix(name + ".") }
          .sorted { $0.name < $1.name }.map(OutputColumn.init(element:))
      } else if let attribute = entity.attribute(named: name) {
        columns.append(OutputColumn(name: name, kind: .attribute(attribute)))
      } else if let relationship = entity.relationship(named: name) {
        columns.append(OutputColumn(relationship))
      } else if name == objectIDName {
        columns.append(OutputColumn(name: name, kind: .objectID))
      } else if name == entityColumnName {
        columns.append(OutputColumn(name: name, kind: .entityName))
      } else {
        throw names.unknown(
          name, in: entity, option: "--columns",
          offering: (entity.attributes.map(\.name) + entity.relationships.map(\.name)) + [
            objectIDName, entityColumnName,
          ])
      }
    }
    guard !columns.isEmpty else {
      throw Failure(.usage, "--columns is empty", try: "--columns \"name,born\"")
    }
    return columns
  }

  private init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// A column of an attribute that may be an element of a composite.
  private init(element attribute: AttributeDescription) {
    self.init(name: attribute.name, kind: .attribute(attribute))
    let path = attribute.details.compositeName ?? ""
    if attribute.name.hasPrefix(path + ".") {
      composites = path.split(separator: ".").map(String.init)
    }
  }

  private init(_ relationship: RelationshipDescription) {
    self.init(name: relationship.name, kind: relationship.isToMany ? .toMany : .toOne)
  }
}
