package import Foundation
package import ObjectModel

/// Encodes a model as a keyed archive in the form of model caches, where each entity repeats its
/// inherited properties (core-data-stores 3.1).
struct ModelEncoder {
  let model: ManagedObjectModel
  var writer = KeyedArchiveWriter()
  /// The reserved UIDs of entities, by name.
  var entities: [String: PropertyListValue] = [:]
  /// The reserved UIDs of relationships, by entity and name.
  private var relationships: [String: [String: PropertyListValue]] = [:]

  init(_ model: ManagedObjectModel) { self.model = model }

  /// Encodes the whole model.
  mutating func archive() throws(ModelFileError) -> PropertyListValue {
    let root = writer.reserve()
    for entity in model.entities {
      entities[entity.name] = writer.reserve()
      for relationship in entity.relationships + entity.details.transientRelationships {
        relationships[entity.name, default: [:]][relationship.name] = writer.reserve()
      }
    }
    for entity in model.entities { try encode(entity, model: root) }
    let names = model.entities.map(\.name).sorted()
    let details = model.details
    var templates: [String: PropertyListValue] = [:]
    for (name, request) in details.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
      templates[name] = try encode(request)
    }
    var values: [String: PropertyListValue] = [
      "NSEntities": knownKeys(names),
      "NSVersionIdentifiers": writer.array(
        details.versionIdentifiers.map { writer.text($0) }, .set),
      "NSFetchRequestTemplates": templates.isEmpty
        ? KeyedArchiveWriter.null : writer.dictionary(templates),
    ]
    if !details.configurations.isEmpty {
      var configurations: [String: PropertyListValue] = [:]
      for (name, members) in details.configurations.sorted(by: { $0.key < $1.key }) {
        configurations[name] = writer.array(members.compactMap { entities[$0] }, .set)
      }
      values["NSConfigurations"] = writer.dictionary(configurations)
    }
    writer.set(root, .model, values)
    return writer.archive(root: root)
  }

  /// Adds the entities by name as an NSKnownKeysDictionary1, which stores its keys in a separate
  /// object.
  private mutating func knownKeys(_ names: [String]) -> PropertyListValue {
    let keys = writer.array(names.map { writer.text($0) }, .array)
    let mapping = writer.add(
      .knownKeysMapping, ["keys": keys, "length": .integer(Int64(names.count)), "version": 1])
    return writer.add(
      .knownKeys,
      [
        "searchMapping": mapping, "values": writer.array(names.compactMap { entities[$0] }, .array),
        "emptyToken": writer.text("__empty_slot_token_4c24_98dc_ac1e_b773__"), "version": 1,
      ])
  }

  /// The reserved UID of a relationship; nil if the entity has no such relationship.
  func uid(ofRelationship relationship: String, in entity: String) -> PropertyListValue? {
    relationships[entity]?[relationship]
  }

  private mutating func encode(
    _ entity: EntityDescription, model root: PropertyListValue
  ) throws(ModelFileError) {
    let details = entity.details
    var members = try attributes(of: entity)
    for relationship in entity.relationships {
      members[relationship.name] = try encode(relationship, of: entity, isTransient: false)
    }
    for relationship in details.transientRelationships {
      members[relationship.name] = try encode(relationship, of: entity, isTransient: true)
    }
    for property in details.fetchedProperties {
      members[property.name] = try encode(property, of: entity)
    }
    let children = model.entities.filter { $0.superentityName == entity.name }.map(\.name)
    var values: [String: PropertyListValue] = [
      "NSEntityName": writer.text(entity.name), "NSManagedObjectModel": root,
      "NSClassNameForEntity": writer.text(details.className),
      "NSRenamingIdentifier": writer.text(details.renamingIdentifier ?? entity.name),
      "NSVersionHashModifier": writer.text(details.versionHashModifier),
      "NSSuperentity": entity.superentityName.flatMap { entities[$0] } ?? KeyedArchiveWriter.null,
      "NSSubentities": writer.dictionary(
        Dictionary(children.map { ($0, entities[$0] ?? KeyedArchiveWriter.null) }) { one, _ in one }
      ),
      "NSProperties": writer.dictionary(members),
    ]
    if entity.isAbstract { values["NSIsAbstract"] = true }
    values["NSUserInfo"] = userInfo(details.userInfo)
    values["NSUniqueTuples"] = lists(model.ownUniquenessConstraints(of: entity))
    values["NSCompoundIndexes"] = lists(details.compoundIndexes)
    if !details.fetchIndexes.isEmpty {
      let indexes = try details.fetchIndexes.map { index throws(ModelFileError) in
        try encode(index, of: entity)
      }
      values["NSFetchIndexDescriptions"] = writer.array(indexes)
    }
    writer.set(entities[entity.name] ?? KeyedArchiveWriter.null, .entity, values)
  }

  /// Adds a user info dictionary; nil if it is empty.
  mutating func userInfo(_ texts: [String: String]) -> PropertyListValue? {
    guard !texts.isEmpty else { return nil }
    var members: [String: PropertyListValue] = [:]
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
      members[key] = writer.text(value)
    }
    return writer.dictionary(members, .dictionary)
  }

  /// Adds an array of arrays of names; nil if it is empty.
  private mutating func lists(_ lists: [[String]]) -> PropertyListValue? {
    guard !lists.isEmpty else { return nil }
    let arrays = lists.map { list in writer.array(list.map { writer.text($0) }, .array) }
    return writer.array(arrays, .array)
  }
}

/// Writes the model cache of a Core Data store, the content of `Z_MODELCACHE` (core-data-stores 3).
package enum ModelCacheWriter {
  /// Encodes a model as the content of a model cache.
  ///
  /// ``ModelCache`` reads back an equal model if the model came from a model file or a model cache.
  /// Facts of plain databases (keys, encodings, declared types) and the names of composite types
  /// are not written.
  ///
  /// - Parameter model: A model that `validate()` accepts.
  /// - Returns: A keyed archive, compressed as a raw DEFLATE stream; equal models give equal bytes.
  /// - Throws: ``ModelFileError`` when a predicate or an expression of the model cannot be
  ///   archived.
  package static func data(of model: ManagedObjectModel) throws(ModelFileError) -> Data {
    do throws(ModelFileError) {
      var encoder = ModelEncoder(model)
      return try Deflate.compressed(encoder.archive().binaryPropertyList())
    } catch {
      throw error.subject.isEmpty ? error.withSubject("The model") : error
    }
  }
}
