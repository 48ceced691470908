import Foundation
import ObjectModel
import SQLQueries
import SQLiteStore
import TestSupport
import Testing

/// Real stores, compared with the results of an independent reader.
@Suite(.needsRealStores)
struct RealStoreTests {
  static let withModel = [
    "accounts.sqlite", "bookmarks-v1.sqlite", "bookmarks-v5.sqlite", "cart-swiftdata.sqlite",
    "data-usage.sqlite", "knowledge.db", "library-history.sqlite", "moody-v1.moody",
    "moody-v5.moody", "photos.sqlite", "posts-v1.sqlite", "posts-v3.sqlite", "sample-v1.sqlite",
    "sample-v2.sqlite",
  ]

  @Test(arguments: withModel)
  func `entities and their counts are as expected`(name: String) throws {
    let copy = try StoreCopy(name)
    let store = copy.store
    let expected = try ExpectedStore(of: name, in: try #require(RealStores.folder))
    #expect(Set(store.model.entities.map(\.name)) == Set(expected.entities.keys))
    #expect(store.summary.notes == [])
    for entity in store.model.entities {
      let wanted = try #require(expected.entities[entity.name])
      let count = try store.count(FetchPlan(entityName: entity.name), control: nil)
      let own = try store.count(
        FetchPlan(entityName: entity.name, includesSubentities: false), control: nil)
      #expect(count == wanted.count, "\(entity.name)")
      #expect(own == wanted.own, "\(entity.name)")
      #expect(entity.isAbstract == wanted.abstract, "\(entity.name)")
      #expect(entity.superentityName == wanted.superName, "\(entity.name)")
    }
  }

  @Test(arguments: withModel)
  func `the first objects of every entity are as expected`(name: String) throws {
    let copy = try StoreCopy(name)
    let store = copy.store
    let expected = try ExpectedStore(of: name, in: try #require(RealStores.folder))
    for (entityName, objects) in expected.sample.sorted(by: { $0.key < $1.key }) {
      let ids = Array(
        try store.fetch(FetchPlan(entityName: entityName, limit: 3), control: nil).ids)
      #expect(ids.map(\.uriRepresentation) == objects.compactMap { $0["objectID"]?.text })
      #expect(ids.map(\.entityName) == objects.compactMap { $0["entity"]?.text })
      let snapshots = try store.snapshots(of: ids)
      for (id, object) in zip(ids, objects) {
        let snapshot = try #require(snapshots[id])
        try expectSame(snapshot, object, in: store)
      }
    }
  }

  @Test(arguments: [
    ("cart-swiftdata.sqlite", "SwiftData store", "macOS 26, iOS 26"),
    ("photos.sqlite", "Core Data store", "macOS 13, iOS 16"),
    ("library-history.sqlite", "Core Data store", "macOS 14, iOS 17"),
    ("sample-v1.sqlite", "Core Data store", "macOS 11, iOS 14"),
    ("knowledge.db", "Core Data store", "macOS 10.13, iOS 11"),
    ("moody-v5.moody", "Core Data store", "OS X 10.11, iOS 9"),
    ("surf-journal.sqlite", "Core Data store", "OS X 10.10, iOS 8"),
    ("recipes-2010.sqlite", "Core Data store", "Mac OS X 10.6, iOS 3"),
  ])
  func `the summary has the store's kind and the system release that wrote it`(
    name: String, kind: String, generation: String
  ) throws {
    let summary = try StoreCopy(name).store.summary
    #expect(summary.kind == kind)
    #expect(summary.generation == generation)
  }

  @Test func `every table without an entity has a purpose`() throws {
    let summary = try StoreCopy("photos.sqlite").store.summary
    let purposes = Dictionary(
      uniqueKeysWithValues: summary.otherTables.map { ($0.name, $0.purpose) })
    #expect(purposes["ACHANGE"] == "history: what was changed")
    #expect(purposes["Z_PRIMARYKEY"] == "the numbers of entities and their last keys")
    #expect(!purposes.values.contains("not in the model"), "\(purposes)")
    #expect(purposes.values.count { $0.hasPrefix("links of ") } == 17)
  }

  /// Compares an object with the expected one: all of its properties, and no others.
  private func expectSame(
    _ snapshot: RowSnapshot, _ object: [String: JSONValue], in store: SQLiteStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let id = snapshot.id
    let entity = try #require(store.model.entity(named: id.entityName))
    for (place, attribute) in entity.attributes.enumerated() {
      var stored = snapshot.values[place]
      if snapshot.cutLengths[place] != nil { stored = try store.value(of: attribute.name, for: id) }
      let value = attribute.decode(stored)
      let wanted = object[attribute.name]
      #expect(
        wanted?.stands(for: value, of: attribute) == true,
        "\(id).\(attribute.name): \(value), not \(String(describing: wanted))",
        sourceLocation: sourceLocation)
    }
    for relationship in entity.relationships {
      let wanted = object[relationship.name]
      let found: JSONValue
      if let place = entity.toOneIndex(relationship.name) {
        found = snapshot.toOne[place].map { .string($0.uriRepresentation) } ?? .null
      } else {
        let all = try store.destinations(of: relationship.name, from: [id])[id] ?? []
        found = .array(all.map { .string($0.uriRepresentation) })
      }
      #expect(found == wanted, "\(id).\(relationship.name)", sourceLocation: sourceLocation)
    }
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    #expect(
      Set(object.keys) == Set(names + ["objectID", "entity"]), sourceLocation: sourceLocation)
  }
}

extension JSONValue {
  /// The text; nil for a value of another type.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
