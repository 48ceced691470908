import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Tables with a foreign key that cannot be enforced: they are changed as SQLite changes them without
/// foreign keys, and their other foreign keys are enforced.
struct UnenforcedKeyTests {
  /// Foreign keys of `k` that cannot work, the reasons, and further tables.
  private static let keys = [
    ("REFERENCES nowhere(id)", "there is no table nowhere", ""),
    ("REFERENCES bag(a)", "bag.a is not unique", "CREATE TABLE bag (a, b);"),
    ("REFERENCES bag", "bag has no primary key", "CREATE TABLE bag (a, b);"),
    ("REFERENCES bag(z)", "bag has no column z", "CREATE TABLE bag (a, b);"),
    (
      "REFERENCES pair", "the primary key of pair has 2 columns",
      "CREATE TABLE pair (a, b, PRIMARY KEY (a, b));"
    ),
    ("REFERENCES seen(a)", "seen is a view", "CREATE VIEW seen AS SELECT 1 AS a;"),
    ("REFERENCES f(rowid)", "f is a virtual table", "CREATE VIRTUAL TABLE f USING fts5(a);"),
    (
      "REFERENCES some(a)", "some.a is not unique",
      "CREATE TABLE some (a, b); CREATE UNIQUE INDEX i ON some (a) WHERE b;"
    ),
    (
      "REFERENCES folded(a)", "folded.a is not unique",
      "CREATE TABLE folded (a COLLATE NOCASE); CREATE UNIQUE INDEX i ON folded (a COLLATE BINARY);"
    ),
  ]

  private func database(_ key: String, action: String = "", more: String = "") throws
    -> TemporaryDatabase
  {
    try TemporaryDatabase(
      """
      \(more)
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE k (id INTEGER PRIMARY KEY, name TEXT, x INT \(key),
        p INT DEFAULT 3 REFERENCES p(id) \(action));
      INSERT INTO p VALUES (1, 'one'), (2, 'two'), (3, 'three');
      INSERT INTO k VALUES (1, 'a', 9, 1), (2, 'b', 9, 1), (3, 'c', NULL, 2);
      """)
  }

  private func context(_ database: TemporaryDatabase) throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  private func rows(_ database: TemporaryDatabase) throws -> [String] {
    try database.connect().read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT name || ' ' || ifnull(p, 'NULL') FROM k
          UNION ALL SELECT name FROM p ORDER BY 1
          """)
    }
  }

  @Test(arguments: keys)
  func `rows are inserted, changed and deleted, and the check and the summary say why not more`(
    key: String, obstacle: String, more: String
  ) throws {
    let database = try database(key, more: more)
    let store = try database.open()
    let found = try store.check()
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains(obstacle) == true)
    let context = try context(database)
    let a = try context.named("a", "k")
    try context.delete(a)
    try context.named("b", "k").setValue(.integer(77), forKey: "x")
    let new = try context.insert(entityName: "k")
    new["name"] = "new"
    new["x"] = 5
    let summary = try SaveSummary(of: context)
    #expect(summary.unenforcedKeys.count == 1)
    #expect(summary.unenforcedKeys.first?.contains(obstacle) == true)
    try context.save()
    #expect(try rows(database) == ["b 1", "c 2", "new 3", "one", "three", "two"])
    context.undoHistory.undo()
    try context.save()
    #expect(try rows(database) == ["a 1", "b 1", "c 2", "one", "three", "two"])
  }

  @Test(arguments: ["", "ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE SET DEFAULT"])
  func `the other foreign keys are enforced, with their actions`(action: String) throws {
    let (ours, theirs) = (
      try database("REFERENCES nowhere(id)", action: action), try database("", action: action)
    )
    let isDone = (try? theirs.run("PRAGMA foreign_keys = ON; DELETE FROM p WHERE id = 1")) != nil
    let context = try context(ours)
    let plan = try context.deletionPlan(for: [context.named("one", "p").objectID])
    #expect(((try? context.save(deleting: plan)) != nil) == isDone)
    #expect(try rows(ours) == rows(theirs))
  }

  @Test func `a row that refers to a missing row by another foreign key is refused and named`()
    throws
  {
    let database = try database("REFERENCES nowhere(id)")
    let before = try rows(database)
    let context = try context(database)
    try context.named("a", "k").setValue(.integer(99), forKey: "p")
    #expect {
      try context.save()
    } throws: {
      "\($0)".contains("p 99") || "\($0)".contains("99 in p")
    }
    #expect(try rows(database) == before)
  }

  @Test(arguments: [
    "ON DELETE CASCADE ON UPDATE CASCADE", "ON DELETE SET NULL ON UPDATE SET NULL",
    "ON DELETE SET DEFAULT ON UPDATE SET DEFAULT", "",
  ])
  func `what triggers do to parents has the actions and the checks that SQLite gives it`(
    action: String
  ) throws {
    let triggers = """
      CREATE TRIGGER d AFTER DELETE ON k WHEN old.name = 'c' BEGIN
        DELETE FROM p WHERE id = 1; UPDATE p SET id = 20 WHERE id = 2; END;
      INSERT INTO k VALUES (4, 'd', NULL, 2);
      """
    let (ours, theirs) = (
      try database("REFERENCES nowhere(id)", action: action), try database("", action: action)
    )
    for database in [ours, theirs] { try database.run(triggers) }
    let isDone = Result {
      try theirs.run("PRAGMA foreign_keys = ON; DELETE FROM k WHERE name = 'c'")
    }
    let context = try context(ours)
    try context.delete(context.named("c", "k"))
    let done = Result { try context.save() }
    #expect((try? done.get()) == nil ? (try? isDone.get()) == nil : (try? isDone.get()) != nil)
    #expect(try rows(ours) == rows(theirs))
  }

  @Test func `nothing of the enforcement stays in the file or on the connection`() throws {
    let database = try database("REFERENCES nowhere(id)")
    let context = try context(database)
    for name in ["a", "b"] {
      try context.delete(context.named(name, "k"))
      _ = try context.rehearseSave()
      try context.save()
    }
    let names = try database.connect().read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema ORDER BY 1")
    }
    #expect(names == ["k", "p"])
  }
}
