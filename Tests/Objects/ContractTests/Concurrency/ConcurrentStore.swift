import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport

/// A store of items on which several processes work at the same time, with a log that its own
/// triggers write: SQLite alone says which row was changed from what to what, and in which order.
struct ConcurrentStore {
  static let model = ManagedObjectModel {
    Entity("Item") {
      Attribute("number", .integer64)
      Attribute("a", .string)
      Attribute("b", .string)
      Attribute("c", .string)
      ToOne("next", "Item", inverse: "previous")
      ToMany("previous", "Item", inverse: "next")
      ToMany("friends", "Item", inverse: "friends")
    }
  }

  /// The attributes that are changed.
  static let keys = ["a", "b", "c"]

  /// A change of one value, or of an object as a whole, as a trigger saw it.
  struct Entry {
    enum Kind: String { case insert, update, delete }
    let kind: Kind
    let number: Int64
    /// Empty for an object as a whole; `next` has no values here.
    let key: String
    let old: String?
    let new: String?
  }

  private let folder: TemporaryFolder
  var path: String { folder.path("store") }

  /// Creates a store with items, and its triggers.
  init(_ kind: Kind, itemCount: Int64) throws {
    folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(
      store: try kind.makeStore(Self.model, in: folder))
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<itemCount {
      try context.insert(entityName: "Item").setValue(.integer(number), forKey: "number")
    }
    try context.save()
    try database { try $0.execute(sql: Self.triggers(kind)) }
  }

  /// Creates an empty store of another model, without a log.
  init(_ kind: Kind, _ model: ManagedObjectModel) throws {
    folder = try TemporaryFolder()
    _ = try kind.makeStore(model, in: folder)
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// A new context on the file, as another program has it.
  func reader() throws -> ManagedObjectContext {
    ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try SQLiteStore.open(path: path)))
  }

  private func database<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction(body)
  }

  private static func triggers(_ kind: Kind) -> String {
    let isCoreData = kind == .coreData
    let table = isCoreData ? "ZITEM" : "Item"
    func column(_ key: String) -> String { isCoreData ? "Z\(key.uppercased())" : key }
    let number = column("number")
    var sql = "CREATE TABLE log (kind TEXT, number INTEGER, key TEXT, old TEXT, new TEXT);"
    func log(_ event: String, _ row: String) {
      sql += "CREATE TRIGGER log_\(event) AFTER \(event) ON \(table) BEGIN "
      sql += "INSERT INTO log VALUES ('\(event.lowercased())', \(row).\(number), '', NULL, NULL);"
      for key in keys where event == "INSERT" {
        sql += "INSERT INTO log SELECT 'update', NEW.\(number), '\(key)', NULL, NEW.\(column(key)) "
        sql += "WHERE NEW.\(column(key)) IS NOT NULL;"
      }
      sql += "END;"
    }
    log("INSERT", "NEW")
    log("DELETE", "OLD")
    for key in keys {
      sql += "CREATE TRIGGER log_\(key) AFTER UPDATE ON \(table) "
      sql += "WHEN OLD.\(column(key)) IS NOT NEW.\(column(key)) BEGIN INSERT INTO log VALUES "
      sql += "('update', NEW.\(number), '\(key)', OLD.\(column(key)), NEW.\(column(key))); END;"
    }
    let next = column("next")
    sql += "CREATE TRIGGER log_next AFTER UPDATE ON \(table) WHEN OLD.\(next) IS NOT NEW.\(next) "
    sql += "BEGIN INSERT INTO log VALUES ('update', NEW.\(number), 'next', NULL, NULL); END;"
    return sql
  }

  /// All changes, in the order of the commits.
  func log() throws -> [Entry] {
    try database { database in
      try Row.fetchAll(database, sql: "SELECT * FROM log ORDER BY rowid").map { row in
        Entry(
          kind: Entry.Kind(rawValue: row["kind"] as String) ?? .update, number: row["number"],
          key: row["key"], old: row["old"], new: row["new"])
      }
    }
  }

  func findings() throws -> [CheckFinding] { try SQLiteStore.open(path: path).check() }

  /// All items of a context, one a line.
  static func picture(_ context: ManagedObjectContext) throws -> String {
    let request = FetchRequest<ManagedObject>(
      entityName: "Item", sortDescriptors: [.init("number")])
    return try context.fetch(request).map { item in
      let values = keys.map { item[$0].description }
      let next = item.object(forKey: "next")?["number"].description ?? "-"
      let friends = item.objects(forKey: "friends").map { $0["number"].description }.sorted()
      return "\(item["number"]) \(values) \(next) \(friends)"
    }.joined(separator: "\n")
  }
}
