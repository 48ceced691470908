import Foundation
import ObjectModel
import SQLiteStore
import Testing

/// Tests that ordinary schemas work, whatever functions and virtual tables they use, and that what
/// SQLite refuses to call from a schema is not called damage.
struct TrustedSchemaTests {
  private static let rows = "INSERT INTO t (id, a) VALUES (1, '{\"n\":1}'), (2, '{\"n\":2}');"

  private static let schemas =
    [
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, n AS (json_extract(a, '$.n')) STORED);",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, n AS (a ->> '$.n') VIRTUAL);",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE INDEX i ON t (json_extract(a, '$.n'));",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a CHECK (json_valid(a)));",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      CREATE INDEX i ON t (id) WHERE json_type(a) = 'object';
      """,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      CREATE VIEW v AS SELECT t.id, j.value FROM t, json_each(t.a) j;
      """,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE log (x);
      CREATE TRIGGER d AFTER DELETE ON t BEGIN
      INSERT INTO log SELECT key FROM json_each(old.a); END;
      """,
    ]
    + ["fts5", "fts4", "fts3"].map { module in
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE VIRTUAL TABLE f USING \(module)(a);
      CREATE TRIGGER n AFTER INSERT ON t BEGIN
      INSERT INTO f (rowid, a) VALUES (new.id, new.a); END;
      CREATE TRIGGER d AFTER DELETE ON t BEGIN DELETE FROM f WHERE rowid = old.id; END;
      CREATE VIEW v AS SELECT t.id, f.a FROM t JOIN f ON f.rowid = t.id;
      """
    } + [
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
      CREATE TRIGGER n AFTER INSERT ON t BEGIN INSERT INTO r VALUES (new.id, 0, 1); END;
      CREATE TRIGGER d AFTER DELETE ON t BEGIN DELETE FROM r WHERE id = old.id; END;
      CREATE VIEW v AS SELECT t.id, r.x0 FROM t JOIN r ON r.id = t.id;
      """
    ]

  @Test(arguments: schemas)
  func `a schema over JSON, full-text search or an R-tree is read and written`(_ schema: String)
    throws
  {
    let database = try TemporaryDatabase(schema + Self.rows)
    let store = try database.open()
    let ids = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids
    #expect(ids.count == 2)
    if schema.contains("VIEW") {
      #expect(try store.count(FetchPlan(entityName: "v"), control: nil) == 2)
    }
    let version = try #require(try store.snapshots(of: [ids[0]])[ids[0]]).version
    _ = try store.save(SaveRequest(deleted: [RowDeletion(id: ids[0], version: version)]))
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    #expect(try store.check() == [])
  }

  @Test func `what SQLite refuses to call from a schema is named, and the rest is read`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 2);
      CREATE VIEW v AS SELECT name FROM dbstat;
      CREATE TRIGGER d AFTER DELETE ON t BEGIN
      UPDATE t SET a = (SELECT count(*) FROM dbstat); END
      """)
    let store = try database.open()
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    #expect(
      store.summary.otherTables.contains { $0.name == "v" && $0.purpose.contains("unsafe use") })
    let id = try store.fetch(FetchPlan(entityName: "t"), control: nil).ids[0]
    let version = try #require(try store.snapshots(of: [id])[id]).version
    let error = #expect(throws: StoreError.self) {
      try store.save(SaveRequest(deleted: [RowDeletion(id: id, version: version)]))
    }
    #expect(error?.reason == .unsupported)
    #expect(error?.detail.contains("dbstat") == true)
  }
}
