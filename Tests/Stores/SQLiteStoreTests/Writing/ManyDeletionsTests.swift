import GRDB
import ObjectModel
import SQLiteStore
import Synchronization
import Testing

/// Hundreds of objects are deleted with a few statements, with the outcome of one for each.
struct ManyDeletionsTests {
  private static let count = 1_300

  /// Rows with numbers from 1 to the count.
  private static func rows(_ into: String, _ values: String) -> String {
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO \(into) SELECT \(values) FROM n;
    """
  }

  /// Deletes the objects of entities that a condition finds.
  private func delete(_ conditions: [(entity: String, format: String)], in store: SQLiteStore)
    throws
  {
    var request = SaveRequest()
    for (entity, format) in conditions {
      let predicate = try FetchPredicate(format: format).validated(
        forEntity: entity, in: store.model)
      let ids = Array(
        try store.fetch(FetchPlan(entityName: entity, predicate: predicate), control: nil).ids)
      let rows = try store.snapshots(of: ids)
      request.deleted += ids.map { RowDeletion(id: $0, version: rows[$0]?.version) }
    }
    _ = try store.save(request)
  }

  private func column(_ sql: String, _ database: TemporaryDatabase) throws -> [Int] {
    try database.connect().read { try Int.fetchAll($0, sql: sql) }
  }

  @Test func `keys of every form are deleted, and no others`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x);
      CREATE TABLE b (k TEXT COLLATE NOCASE PRIMARY KEY, x) WITHOUT ROWID;
      CREATE TABLE c (p INTEGER, q TEXT, x, PRIMARY KEY (p, q)) WITHOUT ROWID;
      \(Self.rows("a", "i * 3, i"))
      \(Self.rows("b", "'K' || i, i"))
      \(Self.rows("c", "i % 7, 'q' || i, i"))
      """)
    let store = try database.open()
    try delete([("a", "x > 100 AND x < 1100"), ("b", "x > 300"), ("c", "x <= 1000")], in: store)
    #expect(
      try column("SELECT x FROM a ORDER BY x", database) == Array(1...100) + Array(1100...1300))
    #expect(try column("SELECT x FROM b ORDER BY x", database) == Array(1...300))
    #expect(try column("SELECT x FROM c ORDER BY x", database) == Array(1001...1300))
  }

  private static let keysInARow: [[Int]] = {
    let keys = Array(301...900)
    let ends = [Int.max, Int.min] + Array(1...598)
    return [keys, keys.reversed(), keys.filter { $0 != 650 }, [900] + keys.dropLast(), ends]
  }()

  @Test(arguments: keysInARow)
  func `keys one after the other are deleted in any order, and none beside them`(keys: [Int]) throws
  {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x);
      \(Self.rows("a", "i, i"))
      INSERT INTO a VALUES (\(Int.min), 0), (\(Int.max), 0);
      """)
    let store = try database.open()
    let all = try column("SELECT id FROM a ORDER BY id", database)
    let ids = Array(try store.fetch(FetchPlan(entityName: "a"), control: nil).ids)
    let byKey = Dictionary(uniqueKeysWithValues: zip(all, ids.sorted()))
    var request = SaveRequest(deleted: keys.compactMap { byKey[$0] }.map { RowDeletion(id: $0) })
    #expect(request.deleted.count == keys.count)
    let rows = try store.save(request).deletedRows
    #expect(try column("SELECT id FROM a", database) == all.filter { !keys.contains($0) })
    // They come back, and a second time they find their keys taken.
    request = SaveRequest(
      inserted: rows.map { RowChange(id: $0.id, values: ["id": $0.values[0], "x": $0.values[1]]) })
    _ = try store.save(request)
    #expect(try column("SELECT id FROM a", database) == all)
    let taken = #expect(throws: StoreError.self) { try store.save(request) }
    #expect(taken?.reason == .keyTaken)
  }

  @Test func `references among the deleted objects do not matter, others do`() throws {
    let schema = """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x, up INTEGER REFERENCES a(id) ON DELETE CASCADE);
      CREATE TABLE b (id INTEGER PRIMARY KEY, x, a INTEGER REFERENCES a(id) ON DELETE RESTRICT);
      \(Self.rows("a", "i, i, CASE WHEN i > 2 THEN i / 2 END"))
      \(Self.rows("b", "i, i, i"))
      """
    let database = try TemporaryDatabase(schema)
    let store = try database.open()
    // The database's cascade is first with most of them.
    try delete([("a", "TRUEPREDICATE"), ("b", "TRUEPREDICATE")], in: store)
    #expect(
      try column("SELECT count(*) FROM a UNION ALL SELECT count(*) FROM b", database) == [0, 0])

    let other = try TemporaryDatabase(schema)
    let refused = #expect(throws: StoreError.self) {
      try delete([("a", "TRUEPREDICATE"), ("b", "x > 1")], in: other.open())
    }
    #expect(refused?.reason == .constraint)
    #expect(try column("SELECT count(*) FROM a", other) == [Self.count])
  }

  @Test func `the progress of a save does not run backwards`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x, up INTEGER REFERENCES a(id) ON DELETE RESTRICT);
      \(Self.rows("a", "i, i, CASE WHEN i % 2 = 0 AND i > 1200 THEN i - 1 END"))
      """)
    let store = try database.open()
    let ids = Array(try store.fetch(FetchPlan(entityName: "a"), control: nil).ids)
    let rows = try store.snapshots(of: ids)
    var request = SaveRequest()
    for (index, id) in ids.enumerated() {
      if index < 500 {
        request.updated.append(RowChange(id: id, version: rows[id]?.version, values: ["x": 0]))
      } else {
        request.deleted.append(RowDeletion(id: id, version: rows[id]?.version))
      }
    }
    let reports = Reports()
    let control = FetchControl { (FetchControl.current?.completed).map(reports.note) }
    _ = try FetchControl.$current.withValue(control) { try store.save(request) }
    let counts = reports.counts
    #expect(counts == counts.sorted())
    #expect((counts.last ?? 0) > 500)
    #expect(try column("SELECT count(*) FROM a", database) == [500])
  }

  /// The numbers of changes that a save reported, in order.
  private final class Reports: Sendable {
    private let completed = Mutex<[Int]>([])
    var counts: [Int] { completed.withLock { $0 } }
    func note(_ count: Int) { completed.withLock { if $0.last != count { $0.append(count) } } }
  }

  @Test func `a row that a trigger keeps refuses the save`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x);
      \(Self.rows("a", "i, i"))
      CREATE TRIGGER keep BEFORE DELETE ON a WHEN old.id = 777 BEGIN SELECT RAISE(IGNORE); END;
      """)
    let store = try database.open()
    let refused = #expect(throws: StoreError.self) { try delete([("a", "x > 5")], in: store) }
    #expect(refused?.subject == "a 777")
    #expect(refused?.detail == "a trigger of the database keeps it")
    #expect(try column("SELECT count(*) FROM a", database) == [Self.count])
  }

  @Test func `objects that come back find their keys free, or none of them is written`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x);
      CREATE TABLE b (k TEXT COLLATE NOCASE PRIMARY KEY, x) WITHOUT ROWID;
      \(Self.rows("a", "i, i"))
      \(Self.rows("b", "'K' || i, i"))
      """)
    let store = try database.open()
    var all: [ObjectID: RowSnapshot] = [:]
    for entity in ["a", "b"] {
      let ids = Array(try store.fetch(FetchPlan(entityName: entity), control: nil).ids)
      all.merge(try store.snapshots(of: ids)) { $1 }
    }
    try delete([("a", "TRUEPREDICATE"), ("b", "TRUEPREDICATE")], in: store)
    let back = SaveRequest(
      inserted: all.values.sorted { $0.id < $1.id }.map { row in
        RowChange(
          id: row.id,
          values: [row.id.entityName == "a" ? "id" : "k": row.values[0], "x": row.values[1]])
      })
    for (other, subject) in [
      ("INSERT INTO a VALUES (900, 0)", "a 900"), ("INSERT INTO b VALUES ('k900', 0)", "b K900"),
    ] {
      try database.run(other)
      let taken = #expect(throws: StoreError.self) { try store.save(back) }
      #expect(taken?.reason == .keyTaken)
      #expect(taken?.subject == subject)
      try database.run("DELETE FROM a; DELETE FROM b")
    }
    _ = try store.save(back)
    #expect(try column("SELECT x FROM a ORDER BY x", database) == Array(1...Self.count))
    #expect(try column("SELECT x FROM b ORDER BY x", database) == Array(1...Self.count))
  }
}
