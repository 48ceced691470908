import GRDB
import ManagedObjects
import ObjectModel
import Testing

@testable import SQLiteStore

/// What triggers of a database do in a save, besides what it was asked to write.
struct TriggerTests {
  /// A trigger on the deletion of a `t`, and what it does when row 1 is deleted.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let triggers: [StoreTrigger]
    let effects: [String]
    /// Whether undo restores everything that the triggers did.
    var isUndone = true
  }

  private static let tables = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE part (id INTEGER PRIMARY KEY, t INTEGER, name TEXT, bytes BLOB);
    INSERT INTO t VALUES (1, 'one'), (2, 'two');
    INSERT INTO part VALUES (1, 1, 'a', x'00ff'), (2, 1, 'b', NULL), (3, 2, 'c', NULL);
    """

  static let cases: [Case] = [
    Case(testDescription: "no trigger", schema: "", triggers: [], effects: []),
    Case(
      testDescription: "a trigger that only checks",
      schema: """
        CREATE TRIGGER look BEFORE DELETE ON t WHEN old.id = 9
        BEGIN SELECT RAISE(ABORT, 'no'); END;
        """, triggers: [], effects: []),
    Case(
      testDescription: "rows with a rowid are deleted",
      schema:
        "CREATE TRIGGER clear AFTER DELETE ON t BEGIN DELETE FROM part WHERE t = old.id; END",
      triggers: [StoreTrigger(name: "clear", tables: ["part"])], effects: ["2 part deleted"]),
    Case(
      testDescription: "a whole table is deleted",
      schema: "CREATE TRIGGER clear AFTER DELETE ON t BEGIN DELETE FROM part; END",
      triggers: [StoreTrigger(name: "clear", tables: ["part"])], effects: ["3 part deleted"]),
    Case(
      testDescription: "rows without a rowid are deleted",
      schema: """
        CREATE TABLE tag (word TEXT, t INTEGER, PRIMARY KEY (word, t)) WITHOUT ROWID;
        INSERT INTO tag VALUES ('red', 1), ('blue', 1), ('red', 2);
        CREATE TRIGGER clear BEFORE DELETE ON t BEGIN DELETE FROM tag WHERE t = old.id; END;
        """, triggers: [StoreTrigger(name: "clear", tables: ["tag"])], effects: ["2 tag deleted"]),
    Case(
      testDescription: "rows with a text key are deleted",
      schema: """
        CREATE TABLE tag (word TEXT PRIMARY KEY, t INTEGER);
        INSERT INTO tag VALUES ('red', 1), ('blue', 2);
        CREATE TRIGGER clear BEFORE DELETE ON t BEGIN DELETE FROM Tag WHERE t = old.id; END;
        """, triggers: [StoreTrigger(name: "clear", tables: ["tag"])], effects: ["1 tag deleted"]),
    Case(
      testDescription: "a trigger runs a trigger",
      schema: """
        CREATE TABLE screw (id INTEGER PRIMARY KEY, part INTEGER);
        INSERT INTO screw VALUES (1, 1), (2, 1), (3, 3);
        CREATE TRIGGER a AFTER DELETE ON t BEGIN DELETE FROM part WHERE t = old.id; END;
        CREATE TRIGGER b AFTER DELETE ON part BEGIN DELETE FROM screw WHERE part = old.id; END;
        """,
      triggers: [
        StoreTrigger(name: "a", tables: ["part"]), StoreTrigger(name: "b", tables: ["screw"]),
      ], effects: ["2 part deleted", "2 screw deleted"]),
    Case(
      testDescription: "rows are inserted and changed",
      schema: """
        CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
        CREATE TRIGGER note AFTER DELETE ON t BEGIN
          INSERT INTO log (what) VALUES ('deleted ' || old.name);
          UPDATE part SET name = upper(name) WHERE t <> old.id;
        END;
        """, triggers: [StoreTrigger(name: "note", tables: ["log", "part"])],
      effects: ["1 log inserted", "1 part changed"], isUndone: false),
  ]

  private func id(_ store: SQLiteStore) -> ObjectID {
    ObjectID(storeIdentifier: store.identifier, entityName: "t", key: .integer(1))
  }

  /// The rows of all tables.
  private func contents(_ database: TemporaryDatabase) throws -> [String] {
    let queue = try database.connect()
    return try queue.read { connection in
      let tables = try String.fetchAll(
        connection, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      return try tables.flatMap { table in
        try Row.fetchAll(connection, sql: "SELECT * FROM \"\(table)\" ORDER BY 1, 2")
          .map { "\(table) \($0)" }
      }
    }
  }

  @Test(arguments: cases)
  func `what triggers may do is said before, what they did is counted, deletions are undone`(
    _ example: Case
  ) throws {
    let database = try TemporaryDatabase(Self.tables + example.schema)
    let store = try database.open()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let before = try contents(database)
    let plan = try context.deletionPlan(for: [id(store)])
    #expect(try SaveSummary(of: context, deleting: plan).triggers == example.triggers)
    #expect(
      try context.rehearseSave(deleting: plan).triggerEffects.phrases == example.effects)
    #expect(try contents(database) == before)
    #expect(try context.save(deleting: plan).phrases == example.effects)
    let after = try contents(database)
    #expect(after != before)
    guard example.isUndone else { return }
    context.undoHistory.undo()
    try context.save()
    #expect(try contents(database) == before)
    context.undoHistory.redo()
    try context.save()
    #expect(try contents(database) == after)
  }

  @Test func `objects that a trigger changes are read again`() throws {
    let database = try TemporaryDatabase(
      Self.tables
        + """
        CREATE TRIGGER note AFTER DELETE ON t BEGIN UPDATE part SET name = 'changed'; END;
        """)
    let store = try database.open()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let part = context.object(
      with: ObjectID(storeIdentifier: store.identifier, entityName: "part", key: .integer(3)))
    #expect(part["name"] == "c")
    try context.save(deleting: context.deletionPlan(for: [id(store)]))
    #expect(part["name"] == "changed")
  }

  @Test func `triggers of insertions and updates are found too`() throws {
    let database = try TemporaryDatabase(
      Self.tables
        + """
        CREATE TRIGGER born AFTER INSERT ON t BEGIN UPDATE part SET name = 'x' WHERE t = new.id; END;
        CREATE TRIGGER named AFTER UPDATE OF name ON t BEGIN DELETE FROM part WHERE t = new.id; END;
        """)
    let store = try database.open()
    var changes = StoreChanges()
    changes.inserted = ["t"]
    #expect(try store.triggers(of: changes).map(\.name) == ["born"])
    changes = StoreChanges()
    changes.updated = ["t": ["name"]]
    #expect(try store.triggers(of: changes).map(\.name) == ["named"])
    changes.updated = ["t": ["id"]]
    #expect(try store.triggers(of: changes).isEmpty)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let object = context.object(with: id(store))
    object["name"] = "new"
    #expect(try context.save().phrases == ["2 part deleted"])
    context.undoHistory.undo()
    try context.save()
    #expect(try store.count(FetchPlan(entityName: "part"), control: nil) == 3)
  }

  @Test
  func `a save compiles nothing that the dialog before it has, unless the schema has changed`()
    throws
  {
    let database = try TemporaryDatabase(
      Self.tables
        + "CREATE TRIGGER clear AFTER DELETE ON t BEGIN DELETE FROM part; END;")
    let survey = TriggerSurvey(try database.open().layout)
    var changes = StoreChanges()
    changes.deleted = ["t"]
    var compilations = 0
    func triggers(_ schemaVersion: Int64) throws -> [String] {
      try survey.triggers(of: changes, schemaVersion: schemaVersion) { body throws(StoreError) in
        compilations += 1
        do {
          try database.connect().writeWithoutTransaction {
            if let connection = $0.sqliteConnection { body(connection) }
          }
        } catch { throw StoreError(error, doing: "testing", subject: "") }
      }.map(\.name)
    }
    #expect(try triggers(1) == ["clear"])
    #expect(try triggers(1) == ["clear"])
    #expect(compilations == 1)
    try database.run("CREATE TRIGGER note AFTER DELETE ON t BEGIN DELETE FROM part; END")
    #expect(try triggers(2) == ["clear", "note"])
    #expect(compilations == 2)
    changes.updated = ["t": ["name"]]
    #expect(try triggers(2) == ["clear", "note"])
    #expect(compilations == 3)
  }
}
