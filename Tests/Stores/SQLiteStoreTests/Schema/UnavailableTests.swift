import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Databases whose schema needs what SQLite does not have here: collations, functions, modules.
struct UnavailableTests {
  /// Makes a database, in whose schema words are replaced at the end.
  private func database(_ sql: String, _ replacements: [(String, String)]) throws
    -> TemporaryDatabase
  {
    let database = try TemporaryDatabase(sql)
    let changes = replacements.map {
      "UPDATE sqlite_schema SET sql = replace(sql, '\($0)', '\($1)');"
    }
    try database.run("PRAGMA writable_schema = ON; \(changes.joined())")
    return database
  }

  private func names(
    _ store: SQLiteStore, _ entity: String, _ attribute: String, where format: String
  )
    throws -> [String]
  {
    let description = try #require(store.model.entity(named: entity))
    let predicate = try FetchPredicate(format: format)
      .validated(for: description, in: store.model)
    let plan = FetchPlan(
      entityName: entity, predicate: predicate,
      sortDescriptors: [FetchSortDescriptor(attribute)])
    let ids = Array(try store.fetch(plan, control: nil).ids)
    #expect(try store.count(plan, control: nil) == ids.count)
    let index = try #require(description.attributeIndex(attribute))
    return try store.rows(of: ids).compactMap { $0?.values[index].description }
  }

  private static let collating = """
    CREATE TABLE channel (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, UNIQUE (name));
    CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
    CREATE TABLE text_key (name TEXT PRIMARY KEY COLLATE NOCASE);
    CREATE TABLE pb (name TEXT PRIMARY KEY COLLATE NOCASE, n INT) WITHOUT ROWID;
    CREATE TABLE expression (id INTEGER PRIMARY KEY, name TEXT);
    CREATE INDEX e ON expression (lower(name) COLLATE NOCASE);
    CREATE TABLE kid (id INTEGER PRIMARY KEY, name TEXT REFERENCES pb(name));
    CREATE VIEW sorted AS SELECT name FROM channel ORDER BY name;
    CREATE VIEW kids AS SELECT name FROM kid;
    INSERT INTO channel (name) VALUES ('b'), ('A'), ('C'), ('é');
    INSERT INTO note (name) SELECT name FROM channel;
    INSERT INTO text_key SELECT name FROM channel;
    INSERT INTO pb SELECT name, 1 FROM channel;
    INSERT INTO expression (name) SELECT name FROM channel;
    INSERT INTO kid VALUES (1, 'a'), (2, 'B');
    """

  @Test(arguments: ["channel", "note", "text_key", "pb", "expression"])
  func `tables that need an unknown collation are read, by no index of theirs`(_ table: String)
    throws
  {
    let database = try database(Self.collating, [("NOCASE", "LOCALIZED")])
    defer { withExtendedLifetime(database) {} }
    let store = try database.open()
    #expect(try names(store, table, "name", where: "TRUEPREDICATE") == ["A", "C", "b", "é"])
    #expect(try names(store, table, "name", where: "name == 'A'") == ["A"])
    #expect(try names(store, table, "name", where: "name == 'a'") == [])
    #expect(try names(store, table, "name", where: "name ==[c] 'a'") == ["A"])
    #expect(try names(store, table, "name", where: "name > 'B'") == ["C", "b", "é"])
    #expect(try names(store, table, "name", where: "name IN {'C', 'b'}") == ["C", "b"])
    #expect(try names(store, "kid", "name", where: "TRUEPREDICATE") == ["B", "a"])
    let found = try store.check()
    #expect(!found.contains { $0.severity == .error })
    #expect(found.contains { $0.table == "channel" && $0.message.contains("LOCALIZED") })
  }

  @Test(arguments: [("channel", false), ("note", true), ("pb", false), ("expression", false)])
  func `only a table whose index needs an unknown collation is read-only, and says so`(
    table: String, isWritable: Bool
  ) throws {
    let database = try database(Self.collating, [("NOCASE", "LOCALIZED")])
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: table))
    let done = Result {
      try context.delete(#require(objects.first))
      try context.save()
    }
    if case .failure(let error) = done { #expect("\(error)".contains("LOCALIZED")) }
    #expect(((try? done.get()) != nil) == isWritable)
    try context.delete(
      #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "kid")).first))
    try context.save()
  }

  @Test
  func `a view that needs an unknown collation is hidden with its reason, and others are not`()
    throws
  {
    let database = try database(Self.collating, [("NOCASE", "LOCALIZED")])
    defer { withExtendedLifetime(database) {} }
    let store = try database.open()
    #expect(store.model.entity(named: "kids") != nil && store.model.entity(named: "sorted") == nil)
    let hidden = try #require(store.summary.otherTables.first { $0.name == "sorted" })
    #expect(hidden.isUnreadable && hidden.purpose.contains("LOCALIZED"))
  }

  /// Parts of a schema that need `gone`, what a deletion says, and whether it fails.
  private static let culprits = [
    ("CREATE TRIGGER g AFTER DELETE ON t BEGIN SELECT upper(old.a); END", "the trigger g of t"),
    (
      """
      CREATE TABLE l (n); CREATE TRIGGER g AFTER DELETE ON t BEGIN INSERT INTO l VALUES (1); END;
      CREATE TRIGGER h AFTER INSERT ON l BEGIN SELECT upper(new.n); END
      """, "the trigger h of l"
    ),
    ("CREATE INDEX i ON t (upper(a))", "the index i of t"),
    ("CREATE INDEX i ON t (a) WHERE upper(a) <> ''", "the index i of t"),
  ]

  @Test(arguments: culprits)
  func `an error names the trigger or index that calls a missing function`(
    part: String, culprit: String
  ) throws {
    let database = try database(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x'); \(part)",
      [("upper(", "gone_function(")])
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    let object = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "t")).first)
    try context.delete(object)
    #expect {
      try context.save()
    } throws: {
      "\($0)".contains("\(culprit) calls the function gone_function, which is not available here")
    }
    context.undoHistory.undo()
    #expect(object["a"] == "x")
  }

  @Test func `a generated column that calls a missing function hides only itself`() throws {
    let database = try database(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, v TEXT AS (upper(a)),
        s TEXT AS (upper(a)) STORED CHECK (upper(a) <> ''));
      INSERT INTO t (a) VALUES ('x');
      """, [("upper(", "gone_function(")])
    let store = try database.open()
    let entity = try #require(store.model.entity(named: "t"))
    #expect(entity.attributes.map(\.name) == ["id", "a", "s"])
    #expect(try names(store, "t", "s", where: "TRUEPREDICATE") == ["X"])
    #expect(entity.details.unreadableColumns.first?.contains("gone_function") == true)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try context.fetch(FetchRequest<ManagedObject>(entityName: "t")).first?["a"] = "y"
    #expect {
      try context.save()
    } throws: {
      "\($0)".contains("the declaration of t calls the function gone_function")
    }
  }

  @Test(arguments: [
    ("broken", "no such table"), ("looped", "circularly"), ("calling", "gone_function"),
    ("listed", "expected 3 columns"), ("ghost", "gone_module"), ("tokens", "gone_tokenizer"),
  ])
  func `what cannot be read is hidden with its reason, and checked`(name: String, reason: String)
    throws
  {
    let database = try database(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE VIEW broken AS SELECT * FROM nowhere;
      CREATE VIEW looped AS SELECT * FROM loop2; CREATE VIEW loop2 AS SELECT * FROM looped;
      CREATE VIEW calling AS SELECT upper(a) FROM t;
      CREATE VIEW listed (x, y, z) AS SELECT id, a FROM t;
      CREATE VIEW twice AS SELECT 1 AS a, 2 AS a, NULL;
      CREATE VIRTUAL TABLE ghost USING fts5(a);
      CREATE VIRTUAL TABLE tokens USING fts4(a);
      INSERT INTO t VALUES (1, 'x');
      """,
      [
        ("upper(", "gone_function("), ("fts5(a)", "gone_module(a)"),
        ("fts4(a)", "fts4(a, tokenize=gone_tokenizer)"),
      ])
    let store = try database.open()
    #expect(store.model.entity(named: "twice")?.attributes.count == 3)
    #expect(store.model.entity(named: name) == nil)
    let hidden = try #require(store.summary.otherTables.first { $0.name == name })
    #expect(hidden.isUnreadable && hidden.purpose.contains(reason))
    #expect(try store.check().contains { $0.table == name && $0.message.contains(reason) })
  }

  @Test func `a view says which triggers could change it`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE VIEW v AS SELECT * FROM t;
      CREATE TRIGGER change_v INSTEAD OF DELETE ON v BEGIN DELETE FROM t; END;
      """)
    let reason = try database.open().model.entity(named: "v")?.readOnlyReason ?? ""
    #expect(reason.contains("change_v") && reason.hasSuffix("v is a view"))
  }
}
