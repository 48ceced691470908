import Foundation
import GRDB
import TestSupport
import Testing

struct DeleteTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  private func names(_ table: String) throws -> [String] {
    try Database.strings(store, "SELECT name FROM \(table) ORDER BY id")
  }

  @Test func `a dry run prints what would be deleted and writes nothing`() throws {
    let outcome = try Program.run("delete", store, "person", "--where", "id = 2", "--dry-run")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Björn"))
    #expect(outcome.output.contains("cascade"))
    #expect(try names("person") == ["Ana", "Björn", "zoe", "Émile"])
    #expect(try names("pet") == ["Rex", "Tom", "Ada"])
  }

  @Test func `what a delete rule keeps is deleted too with --with-dependants`() throws {
    let refused = try Program.run("delete", store, "person", "--where", "id = 4", "--yes")
    #expect(refused.status == 1 && refused.errors.contains("--with-dependants"), "\(refused)")
    #expect(try names("person") == ["Ana", "Björn", "zoe", "Émile"])
    let dry = try Program.run(
      "delete", store, "person", "--where", "id = 4", "--with-dependants", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("invoice"), "\(dry)")
    #expect(try names("person") == ["Ana", "Björn", "zoe", "Émile"])
    let done = try Program.run(
      "delete", store, "person", "--where", "id = 4", "--with-dependants", "--yes")
    #expect(done.status == 0, "\(done.errors)")
    #expect(try names("person") == ["Ana", "Björn", "zoe"])
    #expect(try Database.strings(store, "SELECT count(*) || '' FROM invoice") == ["0"])
    #expect(try Database.rows(store, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `with --yes objects are deleted with their cascades, and references set to NULL`()
    throws
  {
    let outcome = try Program.run("delete", store, "person", "--where", "id = 2", "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try names("person") == ["Ana", "zoe", "Émile"])
    #expect(try names("pet") == ["Ada"])
    #expect(
      try Database.strings(store, "SELECT count(*) || '' FROM person WHERE manager_id = 2") == ["0"]
    )
    #expect(try Database.rows(store, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test(arguments: [
    "| true", "2>/dev/full >/dev/full", ">/dev/full", "2>&1 | true", ">&-", ">&- 2>&-",
    "2> >(true)",
  ])
  func `a deletion is done whoever reads the report, and the status is the deletion's`(
    _ output: String
  ) throws {
    let wait = output.contains("| true") ? "; exit ${PIPESTATUS[0]}" : ""
    let delete = "$CARDFILE delete '\(store)' person --yes --where"
    let refused = try Program.shell("\(delete) 'id IN {2, 4}' \(output)\(wait)")
    #expect(refused.status == 1)
    #expect(try names("person").count == 4)
    let outcome = try Program.shell("\(delete) 'id = 2' \(output)\(wait)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try names("person") == ["Ana", "zoe", "Émile"])
  }

  @Test func `with --yes nothing is reported as deleted before it is`() throws {
    let outcome = try DatabaseQueue(path: store).writeWithoutTransaction { other in
      try other.execute(sql: "BEGIN IMMEDIATE")
      defer { try? other.execute(sql: "ROLLBACK") }
      return try Program.run("delete", store, "person", "--where", "id = 2", "--yes")
    }
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("; try: "))
    #expect(try names("person").count == 4)
  }

  @Test func `a denied deletion deletes nothing`() throws {
    let outcome = try Program.run("delete", store, "person", "--where", "id IN {2, 4}", "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("cardfile: nothing was deleted"))
    #expect(outcome.output.hasPrefix("! ") && !outcome.output.contains(" deleted"))
    #expect(try names("person") == ["Ana", "Björn", "zoe", "Émile"])
  }

  /// A deletion that the database or its model refuses only when it is saved.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    var condition = "id = 1"
    /// A part of the message.
    let message: String
  }

  static let refusals: [Refusal] = [
    Refusal(
      testDescription: "SET NULL on a column that is NOT NULL",
      schema: """
        CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
        CREATE TABLE b(id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a(id) ON DELETE SET NULL);
        INSERT INTO b VALUES (1, 1);
        """, message: "is required"),
    Refusal(
      testDescription: "a CHECK that the nullified column fails",
      schema: """
        CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
        CREATE TABLE b(id INTEGER PRIMARY KEY,
          a_id INTEGER REFERENCES a(id) ON DELETE SET NULL CHECK (a_id IS NOT NULL));
        INSERT INTO b VALUES (1, 1);
        """, message: "CHECK a_id IS NOT NULL"),
    Refusal(
      testDescription: "a trigger that aborts",
      schema: """
        CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
        CREATE TRIGGER keep BEFORE DELETE ON a BEGIN SELECT RAISE(ABORT, 'a is for ever'); END;
        """, message: "a is for ever"),
    Refusal(
      testDescription: "a trigger that ignores",
      schema: """
        CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
        CREATE TRIGGER keep BEFORE DELETE ON a BEGIN SELECT RAISE(IGNORE); END;
        """, message: "a trigger of the database keeps it"),
    Refusal(
      testDescription: "a trigger that fails",
      schema: """
        CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
        CREATE TABLE log(id INTEGER PRIMARY KEY, what TEXT NOT NULL);
        CREATE TRIGGER note AFTER DELETE ON a BEGIN INSERT INTO log(what) VALUES (NULL); END;
        """, message: "log.what"),
    Refusal(
      testDescription: "a reference from a table without a key of its own",
      schema: """
        CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
        CREATE TABLE b(x TEXT, a_id INTEGER REFERENCES a(id)); INSERT INTO b VALUES ('x', 1);
        """, message: "nothing was deleted"),
  ]

  @Test(arguments: refusals)
  func `a dry run is refused as the deletion is`(refusal: Refusal) throws {
    let store = try folder.database("refusing.sqlite", refusal.schema)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let dry = try Program.run("delete", store, "a", "--where", refusal.condition, "--dry-run")
    let real = try Program.run("delete", store, "a", "--where", refusal.condition, "--yes")
    #expect(dry.status == 1 && real.status == 1)
    #expect(dry.errors == real.errors && dry.errors.contains(refusal.message), "\(dry.errors)")
    #expect(!dry.output.contains(" deleted"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
  }

  @Test func `a store that is mirrored to iCloud is refused with the option that allows it`() throws
  {
    let model = folder.path("model.json")
    try Data(
      #"""
      {"version": 1, "entities": [
        {"name": "Note", "attributes": [{"name": "title", "type": "string"}]}]}
      """#.utf8
    ).write(to: folder.url("model.json"))
    let mirrored = folder.path("mirrored.sqlite")
    _ = try Program.run("create", mirrored, "--model", model, "--layout", "coredata")
    try Database.write(
      mirrored,
      """
      CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x');
      """)
    for option in ["--dry-run", "--yes"] {
      let outcome = try Program.run(
        "delete", mirrored, "Note", "--where", "TRUEPREDICATE", option)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("iCloud") && outcome.errors.contains("--force-write"))
    }
    let forced = try Program.run(
      "delete", mirrored, "Note", "--where", "TRUEPREDICATE", "--yes", "--force-write")
    #expect(forced.status == 0, "\(forced.errors)")
  }

  @Test func `the copy of the store is named after a refused save too`() throws {
    try Data(
      #"""
      {"version": 1, "entities": [
        {"name": "Note", "attributes": [{"name": "title", "type": "string"}]}]}
      """#.utf8
    ).write(to: folder.url("model.json"))
    let notes = folder.path("notes.sqlite")
    _ = try Program.run(
      "create", notes, "--model", folder.path("model.json"), "--layout", "coredata")
    try Database.write(
      notes,
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x');
      CREATE TRIGGER keep BEFORE DELETE ON ZNOTE BEGIN SELECT RAISE(ABORT, 'kept'); END;
      """)
    let outcome = try Program.run("delete", notes, "Note", "--where", "TRUEPREDICATE", "--yes")
    #expect(outcome.status == 1 && outcome.errors.contains("kept"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let copy = try #require(names.first { $0.hasPrefix("notes.backup-") })
    #expect(outcome.errors.contains(copy), "\(outcome.errors)")
  }

  @Test func `triggers are named before they run, and what they did is counted`() throws {
    try Database.write(
      store,
      """
      CREATE TABLE log(id INTEGER PRIMARY KEY, what TEXT);
      CREATE TRIGGER clear AFTER DELETE ON pet BEGIN
        INSERT INTO log(what) VALUES ('gone'); DELETE FROM invoice WHERE id = old.id;
      END;
      """)
    let dry = try Program.run("delete", store, "pet", "--where", "id < 3", "--dry-run")
    #expect(dry.output.contains("! The trigger clear runs: it may change invoice, log"))
    #expect(dry.lines.last == "Triggers: 2 invoice deleted, 2 log inserted")
    let real = try Program.run("delete", store, "pet", "--where", "id < 3", "--yes")
    #expect(real.output == dry.output)
    #expect(try Database.strings(store, "SELECT what FROM log") == ["gone", "gone"])
  }

  @Test func `delete refuses without a terminal and without --yes`() throws {
    let outcome = try Program.run("delete", store, "pet", "--where", "id = 1")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("--yes"))
    #expect(try names("pet") == ["Rex", "Tom", "Ada"])
  }

  @Test func `nothing to delete exits with status 1`() throws {
    let outcome = try Program.run("delete", store, "pet", "--where", "id = 99", "--yes")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "cardfile: no pet matches the predicate; try: cardfile count, with other conditions\n")
  }

  @Test func `objects of a view cannot be deleted`() throws {
    try Database.write(store, "CREATE VIEW tall AS SELECT * FROM person WHERE height > 1.6")
    let outcome = try Program.run("delete", store, "tall", "--where", "TRUEPREDICATE", "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("cardfile: objects of tall cannot be deleted"))
  }
}
