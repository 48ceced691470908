import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

/// Tests of the models derived from schemas.
struct IntrospectionTests {
  private func picture(_ schema: String, _ entity: String? = nil) throws -> String {
    let model = try TemporaryDatabase(schema).open().model
    guard let entity else { return model.picture }
    return try #require(model.entity(named: entity)).picture
  }

  @Test(arguments: [
    ("a INTEGER PRIMARY KEY, b", "integer64"), ("a BIGINT", "integer64"),
    ("a SMALLINT", "integer16"),
    ("a MEDIUMINT", "integer32"), ("a UNSIGNED BIG INT", "integer64"),
    ("a BOOLEAN", "boolean booleanInteger"),
    ("a TINYINT(1)", "boolean booleanInteger"), ("a NVARCHAR(160)", "string"), ("a CLOB", "string"),
    ("a STRING", "string"), ("a BLOB", "binaryData"), ("a VARBINARY(16)", "binaryData"),
    ("a REAL", "double"),
    ("a DOUBLE PRECISION", "double"), ("a DECIMAL(10, 2)", "decimal decimalNumber"),
    ("a NUMERIC", "decimal decimalNumber"), ("a DATE", "date isoText"),
    ("a timestamp", "date isoText"),
    ("a TIMESTAMP WITH TIME ZONE", "date isoText"), ("a UUID", "uuid uuidText"),
    ("a URL", "uri urlText"),
    ("a JSON", "string"), ("a", "undefined"), ("a FROBNICATED", "undefined"),
  ])
  func `a specific declared type determines the attribute type`(_ column: String, _ type: String)
    throws
  {
    let lines = try picture("CREATE TABLE t (\(column))").split(separator: "\n")
    #expect(lines[1] == "  a: \(type)")
  }

  @Test(arguments: [
    ("x", "1), (2", "integer64"), ("x", "1), (2.5", "double"), ("x", "'a'), ('b'", "string"),
    ("x", "x'00'), (x'01'", "binaryData"), ("x", "1), ('b'", "undefined"),
    ("x", "NULL), (NULL", "undefined"),
    ("x DATE", "1700000000), (0", "date unixSeconds"),
    ("x DATETIME", "1700000000123", "date unixMilliseconds"),
    ("x DATE", "2459000.5), (2459001.25", "date julianDay"),
    ("x DATE", "'01/02/2020'), ('3/4/2020'", "string"),
    ("x DATE", "'2020-01-02'), ('unknown'", "date isoText"),
    ("x DATE", "20200102", "date calendarNumber"), ("x DATE", "20201302", "integer64"),
    ("created_at TEXT", "'2020-01-02T10:00:00Z'), (''", "date isoText"),
    ("created_at TEXT", "'yesterday'", "string"),
    ("note TEXT", "'2020-01-02'", "string"),
    ("updatedAt INTEGER", "1700000000", "date unixSeconds"),
    ("updatedAt INTEGER", "1700000000000), (NULL", "date unixMilliseconds"),
    ("updatedAt INTEGER", "12", "integer64"),
    ("amount INTEGER", "1700000000", "integer64"), ("born TEXT", "'1980-05-06'", "date isoText"),
    ("time REAL", "1700000000.5", "date unixSeconds"),
    ("julian REAL", "2459000.5", "date julianDay"),
    ("x UUID", "x'000102030405060708090A0B0C0D0E0F'", "uuid uuidData"),
  ])
  func `values determine the type if the declaration is not specific`(
    _ column: String, _ values: String, _ type: String
  ) throws {
    let lines = try picture("CREATE TABLE t (\(column)); INSERT INTO t VALUES (\(values))")
      .split(separator: "\n")
    let name = column.split(separator: " ")[0]
    #expect(lines[1] == "  \(name): \(type)")
  }

  @Test(arguments: [
    ("id INTEGER PRIMARY KEY, a", "t key id"), ("a", "t"),
    ("a TEXT PRIMARY KEY NOT NULL", "t key a"),
    ("id INTEGER PRIMARY KEY DESC, a", "t key id"), ("id INT PRIMARY KEY", "t key id"),
    ("a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (b, a)", "t key b,a"),
    ("a, b, PRIMARY KEY (a, b)", "t"),
    ("rowid TEXT, a", "t"), ("rowid, oid, _rowid_", "t (t has no key)"),
    ("rowid, oid, _rowid_, id INTEGER PRIMARY KEY", "t key id"),
  ])
  func `the key of a table is found in its declaration`(_ columns: String, _ line: String) throws {
    #expect(try picture("CREATE TABLE t (\(columns))").split(separator: "\n")[0] == line)
  }

  @Test func `a text key that contains NULL is replaced by the rowid`() throws {
    let schema = "CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES ('x'), (NULL)"
    let database = try TemporaryDatabase(schema)
    let store = try database.open()
    let ids = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids
    #expect(ids.map(\.key) == [.integer(1), .integer(2)])
  }

  @Test func `tables without a rowid are keyed by their columns`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (a TEXT, b INTEGER, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
      INSERT INTO t VALUES ('x', 2, 'p'), ('y', 1, 'q');
      """
    )
    let store = try database.open()
    let ids = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids
    #expect(ids.map(\.key) == [.composite([1, "y"]), .composite([2, "x"])])
    #expect(try store.snapshots(of: Array(ids)).count == 2)
  }

  @Test func `a key with a collation that treats different keys as equal is not used`() throws {
    let key = "a TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (a COLLATE BINARY)"
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (\(key)); INSERT INTO t VALUES ('x'), ('X');
      CREATE TABLE w (\(key)) WITHOUT ROWID; INSERT INTO w VALUES ('x'), ('X');
      CREATE TABLE fine (a TEXT COLLATE NOCASE NOT NULL PRIMARY KEY);
      """)
    let store = try database.open()
    #expect(store.model.entity(named: "fine")?.keyAttributes == ["a"])
    #expect(store.model.entity(named: "w")?.readOnlyReason?.contains("collation") == true)
    let ids = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids
    #expect(ids.map(\.key) == [.integer(1), .integer(2)])
    _ = try store.save(SaveRequest(deleted: [RowDeletion(id: ids[0])]))
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
  }

  @Test func `deleting a missing row, or one kept by a trigger, throws`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2);
      CREATE TRIGGER keep BEFORE DELETE ON t WHEN old.id = 2 BEGIN SELECT raise(IGNORE); END;
      """)
    let store = try database.open()
    let ids = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids
    #expect(throws: StoreError.self) {
      try store.save(SaveRequest(deleted: ids.map { RowDeletion(id: $0) }))
    }
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 2)
    _ = try store.save(SaveRequest(deleted: [RowDeletion(id: ids[0])]))
    #expect(throws: StoreError.self) {
      try store.save(SaveRequest(deleted: [RowDeletion(id: ids[0])]))
    }
  }

  @Test func `a table with 1,900 columns can be read`() throws {
    let names = (0..<1900).map { "c\($0)" }.joined(separator: ", ")
    let database = try TemporaryDatabase(
      "CREATE TABLE t (\(names)); INSERT INTO t (c7) VALUES ('x')")
    let store = try database.open()
    let ids = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids
    #expect(try store.snapshots(of: Array(ids)).values.first?.values[7] == "x")
  }

  @Test func `defaults, NOT NULL, generated columns and unique indexes appear in the model`() throws
  {
    #expect(
      try picture(
        """
        CREATE TABLE t (
          id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL DEFAULT 'it''s', n INT DEFAULT -5,
          r REAL DEFAULT (1.5), flag BOOLEAN NOT NULL DEFAULT TRUE,
          made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, bytes BLOB DEFAULT x'00FF',
          up TEXT AS (upper(name)), kept TEXT AS (lower(name)) STORED,
          UNIQUE (name, n)
        );
        CREATE UNIQUE INDEX u ON t (r); CREATE UNIQUE INDEX p ON t (n) WHERE n > 0;
        CREATE UNIQUE INDEX e ON t (n + 1);
        """) == """
          t key id
            id: integer64
            name: string required = it's
            n: integer64 = -5
            r: double = 1.5
            flag: boolean booleanInteger required = true
            made: string required
            bytes: binaryData = BLOB 2 bytes
            up: string read-only
            kept: string read-only
            unique name,n
            unique r
          """)
  }

  @Test func `tables and columns can have any name`() throws {
    let database = try TemporaryDatabase(
      #"""
      CREATE TABLE "select ""from"" 'x'" ("group by" TEXT, "😀" INTEGER, "a.b" TEXT, "" TEXT);
      INSERT INTO "select ""from"" 'x'" VALUES ('g', 1, 'ab', 'e');
      CREATE TABLE "Ünïcödé" (x); CREATE TABLE "ÜNÏCÖDÉ" (y); CREATE TABLE [order] ([where] TEXT);
      """#
    )
    let store = try database.open()
    #expect(
      store.model.entities.map(\.name).sorted() == [
        "order", #"select "from" 'x'"#, "ÜNÏCÖDÉ", "Ünïcödé",
      ])
    let ids = try store.fetch(FetchPlan(entityName: #"select "from" 'x'"#), control: nil).ids
    let snapshot = try #require(try store.snapshots(of: Array(ids)).values.first)
    #expect(snapshot.values == ["g", 1, "ab", "e"])
  }

  @Test func `views and virtual tables are read-only, and their storage tables are hidden`() throws
  {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, price REAL);
      INSERT INTO item (price) VALUES (2), (3);
      CREATE VIEW totals AS SELECT count(*) AS number, sum(price) AS total FROM item;
      CREATE VIEW broken AS SELECT * FROM nowhere;
      CREATE VIEW quoting AS SELECT "text" AS word FROM item;
      CREATE VIRTUAL TABLE docs USING fts5(title, body);
      INSERT INTO docs VALUES ('one', 'two');
      CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
      CREATE VIRTUAL TABLE old USING fts4(words);
      """
    )
    let store = try database.open()
    #expect(
      store.model.entities.map(\.name) == ["boxes", "docs", "item", "old", "quoting", "totals"])
    #expect(store.model.entity(named: "totals")?.readOnlyReason == "totals is a view")
    #expect(store.model.entity(named: "docs")?.readOnlyReason == "docs is a virtual table (fts5)")
    #expect(store.model.entity(named: "docs")?.attributes.map(\.name) == ["title", "body"])
    #expect(
      store.model.entity(named: "totals")?.attributes.map(\.type) == [.integer64, .double])
    let hidden = Dictionary(
      uniqueKeysWithValues: store.summary.otherTables.map { ($0.name, $0.purpose) })
    #expect(hidden["docs_content"] == "storage of docs")
    #expect(hidden["boxes_node"] == "storage of boxes")
    #expect(hidden["old_segments"] == "storage of old")
    #expect(hidden["sqlite_sequence"] == "SQLite's counters of AUTOINCREMENT keys")
    #expect(hidden["broken"]?.contains("no such table: main.nowhere") == true)
    for entity in store.model.entities {
      let ids = try store.fetch(FetchPlan(entityName: entity.name), control: nil).ids
      #expect(try store.snapshots(of: Array(ids)).count == ids.count)
    }
  }

  @Test func `a virtual table of an unknown module is listed but is not an entity`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    try database.run(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema
      VALUES ('table', 'geo', 'geo', 0, 'CREATE VIRTUAL TABLE geo USING spatial(x)');
      """)
    let store = try database.open()
    #expect(store.model.entities.map(\.name) == ["t"])
    #expect(store.summary.otherTables.first?.name == "geo")
    #expect(store.summary.otherTables.first?.purpose.contains("module spatial") == true)
  }

  @Test func `strict tables and expensive views are sampled quickly`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE s (id INTEGER PRIMARY KEY, a ANY, b TEXT NOT NULL) STRICT;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO s SELECT i, i, 'b' FROM n;
      CREATE VIEW huge AS SELECT count(*) AS c FROM s AS a, s AS b, s AS c, s AS d;
      """
    )
    let store = try database.open()
    #expect(
      try #require(store.model.entity(named: "s")).picture == """
        s key id
          id: integer64
          a: integer64
          b: string required
        """)
    #expect(store.model.entity(named: "huge")?.attributes.map(\.type) == [.undefined])
  }
}
