import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// A list with objects in every kind of ordered relationship, in every kind of store.
final class Playlists {
  /// A store and one of its ordered relationships.
  struct Case: Sendable, CustomTestStringConvertible {
    let store: Kind
    /// The relationship, and the entity of its objects.
    let key: String
    let entity: String
    /// Whether the tables are those of another program.
    var isForeign = false

    var testDescription: String { "\(isForeign ? "foreign" : "\(store)") \(key)" }
  }

  /// Many to many, one to many, both ends ordered, and without inverse.
  static let cases: [Case] =
    Kind.allCases.flatMap { store in
      [("songs", "Song"), ("pages", "Page"), ("guests", "Guest"), ("marks", "Mark")].map {
        Case(store: store, key: $0.0, entity: $0.1)
      }
    } + [Case(store: .plain, key: "songs", entity: "Song", isForeign: true)]

  private static let model = ManagedObjectModel {
    Entity("List") {
      Attribute("name", .string)
      ToMany("songs", "Song", inverse: "lists", isOrdered: true)
      ToMany("pages", "Page", inverse: "list", isOrdered: true)
      ToMany("guests", "Guest", inverse: "lists", isOrdered: true)
      ToMany("marks", "Mark", isOrdered: true)
    }
    Entity("Song") {
      Attribute("name", .string)
      ToMany("lists", "List", inverse: "songs")
    }
    Entity("Page") {
      Attribute("name", .string)
      ToOne("list", "List", inverse: "pages")
    }
    Entity("Guest") {
      Attribute("name", .string)
      ToMany("lists", "List", inverse: "guests", isOrdered: true)
    }
    Entity("Mark") { Attribute("name", .string) }
  }

  private static let foreignTables = """
    CREATE TABLE List (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE Song (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE ListSong (
      list INTEGER NOT NULL REFERENCES List (id), song INTEGER NOT NULL REFERENCES Song (id),
      position INTEGER, PRIMARY KEY (list, song));
    """

  let test: Case
  /// The key of the ordered relationship, which the tables of another program name.
  private(set) var key = ""
  private let folder: TemporaryFolder
  private let store: any PersistentStore
  private let coordinator: PersistentStoreCoordinator
  private var contexts: [ManagedObjectContext] = []
  /// The context under test, and its list.
  let context: ManagedObjectContext
  private(set) var list: ManagedObject

  /// - Parameters:
  ///   - count: The list has the objects 0, 1, 2…
  ///   - spareCount: As many objects, a, b, c…, are in no list.
  init(_ test: Case, count: Int = 3, spareCount: Int = 0) throws {
    self.test = test
    folder = try TemporaryFolder()
    if test.isForeign {
      let queue = try DatabaseQueue(path: folder.path("store"))
      try queue.write { try $0.execute(sql: Self.foreignTables) }
      try queue.close()
      store = try SQLiteStore.open(path: folder.path("store"))
    } else {
      store = try test.store.makeStore(Self.model, in: folder)
    }
    coordinator = PersistentStoreCoordinator(store: store)
    context = ManagedObjectContext(coordinator: coordinator)
    list = try context.make("List", "List")
    key =
      list.entity.relationships.first {
        $0.isOrdered && $0.destinationEntityName == test.entity
      }?.name ?? ""
    for number in 0..<count { try list.add(context.make("\(number)", test.entity), forKey: key) }
    for name in "abcdefgh".prefix(spareCount) { try context.make("\(name)", test.entity) }
    try context.save()
    context.undoHistory.removeAllActions()
  }

  /// The names of the objects in the list.
  var order: String { list.names(key).joined() }

  /// The names of the objects in the list in the store.
  func stored() throws -> String { try elsewhere().named("List", "List").names(key).joined() }

  func object(_ name: String, in context: ManagedObjectContext? = nil) throws -> ManagedObject {
    try (context ?? self.context).named(name, test.entity)
  }

  /// What a check of the store finds.
  func findings() throws -> [CheckFinding] {
    try test.store == .memory ? [] : SQLiteStore.open(path: folder.path("store")).check()
  }

  /// Puts an object at an index of the list.
  func move(_ name: String, to index: Int?) throws {
    try list.add(object(name), forKey: key, at: index)
  }

  func remove(_ name: String) throws { try list.remove(object(name), forKey: key) }

  /// Another context: of this coordinator, or of one of its own, as another process has.
  func elsewhere(isStranger: Bool = true) -> ManagedObjectContext {
    let context = ManagedObjectContext(
      coordinator: isStranger ? PersistentStoreCoordinator(store: store) : coordinator)
    contexts.append(context)
    return context
  }

  /// Gives the list other objects in another context, and saves them.
  func saveElsewhere(_ names: String, isStranger: Bool = true) throws {
    let other = elsewhere(isStranger: isStranger)
    let list = try other.named("List", "List")
    for name in list.names(key) where !names.contains(name) {
      try list.remove(object(name, in: other), forKey: key)
    }
    for (index, name) in names.enumerated() {
      try list.add(object("\(name)", in: other), forKey: key, at: index)
    }
    try other.save()
  }
}
