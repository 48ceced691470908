import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Tests that the undo of a saved deletion restores every stored value to the byte, and that text
/// that is not UTF-8 is a value and a key like any other.
struct RestoredValuesTests {
  private static func schema(key: String) -> String {
    """
    CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE t (id \(key), n INTEGER DEFAULT 7, s TEXT DEFAULT 'none', r REAL DEFAULT 0.5,
      b BLOB DEFAULT x'01', x DEFAULT 'x', d TEXT DEFAULT CURRENT_TIMESTAMP,
      parent INTEGER DEFAULT 1 REFERENCES p (id));
    INSERT INTO p VALUES (1, 'one'), (2, 'two');
    """
  }

  /// Stored texts: invalid bytes alone, inside and at the end; a character cut off; the private
  /// characters that stand for bytes.
  private static let texts = [
    "ff", "c3", "61ff62", "e282", "f09f98", "c0af", "eda080", "f48fbfbf", "f48fbe80ff", "00ff00",
    "efbfbd", "61",
  ]

  private func dump(_ database: TemporaryDatabase) throws -> [String] {
    let columns = ["id", "n", "s", "r", "b", "x", "d", "parent"]
    let parts = columns.map { "typeof(\($0)) || ' ' || coalesce(hex(\($0)), '-')" }
    return try database.connect().read {
      try String.fetchAll(
        $0, sql: "SELECT \(parts.joined(separator: " || ', ' || ")) FROM t ORDER BY 1")
    }
  }

  @Test(arguments: ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY", "BLOB PRIMARY KEY"])
  func `undoing a saved deletion restores nulls, and bytes that are not UTF-8`(_ key: String)
    throws
  {
    let database = try TemporaryDatabase(Self.schema(key: key))
    let isNumber = key.hasPrefix("INTEGER")
    let nulls = "NULL, NULL, NULL, NULL, NULL, NULL, NULL"
    try database.run("INSERT INTO t VALUES (\(isNumber ? "100" : "'null'"), \(nulls))")
    for (number, hex) in Self.texts.enumerated() {
      let text = "CAST(x'\(hex)' AS TEXT)"
      try database.run(
        "INSERT INTO t (id, s, x) VALUES (\(isNumber ? "\(number)" : text), \(text), \(text))")
    }
    let before = try dump(database)
    #expect(before.count == Self.texts.count + 1)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: "t"))
    #expect(objects.count == before.count)
    for object in objects { try context.delete(object) }
    try context.save()
    #expect(try dump(database) == [])
    while context.undoHistory.canUndo { _ = context.undoHistory.undo() }
    try context.save()
    #expect(try dump(database) == before)
  }

  @Test func `objects whose text key is not UTF-8 are read like any other`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, a);
      CREATE TABLE u (id INTEGER PRIMARY KEY, t TEXT REFERENCES t)
      """)
    for (number, hex) in Self.texts.enumerated() {
      let text = "CAST(x'\(hex)' AS TEXT)"
      try database.run(
        "INSERT INTO t VALUES (\(text), \(number)); INSERT INTO u VALUES (\(number), \(text))")
    }
    let store = try database.open()
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    #expect(Set(ids).count == Self.texts.count)
    let snapshots = try store.snapshots(of: ids)
    #expect(snapshots.count == ids.count)
    for id in ids {
      #expect(try store.value(of: "a", for: id) == snapshots[id]?.values.last)
      #expect(ObjectID(uriRepresentation: id.uriRepresentation) == id)
    }
    let sources = Array(try store.fetch(FetchPlan(entityName: "u"), control: nil).ids)
    let name = try #require(store.model.entity(named: "u")?.toOneRelationships.first?.name)
    #expect(try store.destinations(of: name, from: sources).count == ids.count)
  }
}
