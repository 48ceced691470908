import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// What nobody has set of a new object gets the default of its column; a NULL that was set is written.
struct UnsetValuesTests {
  /// The kinds of tables, by how a key and the end of the table are declared.
  static let tables = [
    ("INTEGER PRIMARY KEY", ""), ("TEXT PRIMARY KEY", ""), ("TEXT PRIMARY KEY", "WITHOUT ROWID"),
    ("TEXT PRIMARY KEY", "STRICT"), ("TEXT PRIMARY KEY", "WITHOUT ROWID, STRICT"),
  ]

  private static let columns = ["n", "s", "x", "d", "e"]

  private func database(_ key: String, _ end: String) throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      CREATE TABLE t (id \(key), n INTEGER DEFAULT 7, s TEXT DEFAULT 'none', x BLOB DEFAULT x'01',
        d TEXT DEFAULT CURRENT_TIMESTAMP, e TEXT DEFAULT (hex(randomblob(4))),
        g INTEGER AS (n + 1)) \(end);
      """)
  }

  private func nulls(_ database: TemporaryDatabase) throws -> [String] {
    let parts = Self.columns.map { "CASE WHEN \($0) IS NULL THEN '\($0)' ELSE '' END" }
    return try database.connect().read {
      try String.fetchAll($0, sql: "SELECT \(parts.joined(separator: " || ")) FROM t ORDER BY id")
    }
  }

  private func context(_ database: TemporaryDatabase) throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  private func insert(_ id: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insert(entityName: "t")
    if context.model.entity(named: "t")?.attribute(named: "id")?.type == .string {
      object["id"] = .string(id)
    }
    return object
  }

  @Test(arguments: tables)
  func `what is unset gets a default, and a NULL is written`(key: String, end: String) throws {
    let database = try database(key, end)
    let context = try context(database)
    let untouched = try insert("1", in: context)
    let emptied = try insert("2", in: context)
    for column in Self.columns { try emptied.setValue(.null, forKey: column) }
    let copy = try insert("3", in: context)
    for column in Self.columns { try copy.copyValue(forKey: column, from: emptied) }
    #expect(untouched["n"] == 7 && untouched["s"] == "none")
    #expect(untouched.awaitedDefault(forKey: "d") == "CURRENT_TIMESTAMP")
    #expect(untouched.awaitedDefault(forKey: "n") == nil)
    #expect(emptied.awaitedDefault(forKey: "d") == nil)
    try context.save()
    #expect(try nulls(database) == ["", "nsxde", "nsxde"])
    #expect(untouched["d"] != .null && untouched.awaitedDefault(forKey: "d") == nil)
    #expect(emptied["d"] == .null && copy["e"] == .null)
  }

  @Test(arguments: tables)
  func `an ID that is obtained before, undo and redo change nothing in that`(
    key: String, end: String
  ) throws {
    let database = try database(key, end)
    let context = try context(database)
    let objects = try ["1", "2"].map { try insert($0, in: context) }
    for column in Self.columns { objects[1][column] = .null }
    if key.hasPrefix("INTEGER") { try context.obtainPermanentIDs(for: objects) }
    context.processPendingChanges()
    // A NULL that was set is unset again by undo.
    objects[0]["e"] = "typed"
    context.processPendingChanges()
    objects[0]["e"] = .null
    context.processPendingChanges()
    #expect(objects[0].awaitedDefault(forKey: "e") == nil)
    context.undoHistory.undo()
    context.undoHistory.undo()
    #expect(objects[0].awaitedDefault(forKey: "e") != nil)
    for object in objects { try context.delete(object) }
    context.processPendingChanges()
    context.undoHistory.undo()
    try context.save()
    #expect(try nulls(database) == ["", "nsxde"])
    for object in objects { try context.delete(object) }
    try context.save()
    context.undoHistory.undo()
    try context.save()
    #expect(try nulls(database) == ["", "nsxde"])
  }

  @Test(arguments: tables)
  func `a batch insertion writes the NULLs that it names`(key: String, end: String) throws {
    let database = try database(key, end)
    let context = try context(database)
    let isText = key.hasPrefix("TEXT")
    var rows: [[String: Value]] = [[:], ["d": .null, "n": .null], ["e": .null]]
    if isText { for place in rows.indices { rows[place]["id"] = .string("\(place)") } }
    try context.execute(BatchInsertRequest(entityName: "t", objects: rows))
    #expect(try nulls(database) == ["", "nd", "e"])
  }

  @Test func `a NULL in a column that refuses it is refused, and its default is not`() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, d TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)")
    let context = try context(database)
    let object = try context.insert(entityName: "t")
    object["d"] = .null
    #expect { try context.save() } throws: {
      ($0 as? ManagedObjectError)?.problems.map(\.message) == ["is required"]
    }
    context.undoHistory.undo()
    _ = try context.insert(entityName: "t")
    try context.save()
    #expect(
      try database.connect().read { try Int.fetchOne($0, sql: "SELECT count(d) FROM t") } == 1)
  }

  @Test func `a foreign key that is set to nothing is NULL, whatever the default of its column`()
    throws
  {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER DEFAULT 1 REFERENCES p);
      INSERT INTO p VALUES (1);
      """)
    let context = try context(database)
    let object = try context.insert(entityName: "t")
    object["p"] = .null
    _ = try context.insert(entityName: "t")
    try context.save()
    #expect(
      try database.connect().read {
        try String.fetchAll($0, sql: "SELECT ifnull(p, 'NULL') FROM t ORDER BY id")
      } == ["NULL", "1"])
  }
}
