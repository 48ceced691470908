import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

/// A database that another program created: keys and foreign keys are attributes.
let albumModel = ManagedObjectModel(entities: [
  EntityDescription(
    name: "Artist",
    attributes: [
      AttributeDescription("ArtistId", .integer64, isOptional: true),
      AttributeDescription("Name", .string),
    ],
    relationships: [
      RelationshipDescription("albums", to: "Album", inverse: "artist", isToMany: true)
    ], keyAttributes: ["ArtistId"]),
  EntityDescription(
    name: "Album",
    attributes: [
      AttributeDescription("AlbumId", .integer64, isOptional: true),
      AttributeDescription("Title", .string),
      AttributeDescription("ArtistId", .integer64, isOptional: false),
    ],
    relationships: [
      RelationshipDescription(
        "artist", to: "Artist", inverse: "albums", isOptional: false,
        foreignKeyAttributes: ["ArtistId"])
    ], uniquenessConstraints: [["Title"]], keyAttributes: ["AlbumId"]),
])

func makeContext(_ model: ManagedObjectModel = peopleModel, cutLength: Int = .max)
  -> ManagedObjectContext
{
  ManagedObjectContext(
    coordinator: PersistentStoreCoordinator(
      store: InMemoryStore(model: model, identifier: "test", cutLength: cutLength)))
}

extension ManagedObjectContext {
  @discardableResult
  func make(_ entityName: String, _ name: String) throws -> ManagedObject {
    let object = try insert(entityName: entityName)
    try object.setValue(
      .string(name),
      forKey: object.entity.attribute(named: "name") == nil
        ? "Name" : "name")
    return object
  }

  func all(_ entityName: String) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityName: entityName))
  }

  func named(_ name: String, _ entityName: String = "Person") throws -> ManagedObject? {
    try all(entityName).first { $0["name"] == .string(name) }
  }

  /// All objects as text, by name so that keys do not matter.
  func picture() throws -> String {
    var lines: [String] = []
    for entity in model.entities {
      for object in try all(entity.name) {
        var parts = entity.attributes.map { "\($0.name)=\(object[$0.name].description)" }
        for relationship in entity.relationships {
          let names = object.objectIDs(forKey: relationship.name).map {
            isAlive($0) ? displayName(of: $0) : "deleted"
          }
          let list = relationship.isOrdered ? names : names.sorted()
          if !list.isEmpty { parts.append("\(relationship.name)→\(list.joined(separator: ","))") }
        }
        lines.append("\(entity.name) \(parts.joined(separator: " "))")
      }
    }
    return lines.sorted().joined(separator: "\n")
  }

  /// The same in a new context, without unsaved changes.
  func storedPicture() throws -> String {
    try ManagedObjectContext(coordinator: persistentStoreCoordinator).picture()
  }
}

extension InstrumentedStore {
  /// The rows of the store in memory that it wraps.
  var contents: [ObjectID: RowSnapshot] { (base as? InMemoryStore)?.contents ?? [:] }
}
