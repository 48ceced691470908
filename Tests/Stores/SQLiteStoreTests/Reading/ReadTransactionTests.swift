import GRDB
import ObjectModel
import Testing

@testable import SQLiteStore

/// Several reads that see one state of a database.
struct ReadTransactionTests {
  private static let tables = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, val INTEGER);
    INSERT INTO t VALUES (1, 10), (2, 20);
    """

  private func values(_ store: SQLiteStore) throws -> [Value?] {
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    let rows = try store.snapshots(of: ids)
    return ids.map { rows[$0]?.values[1] }
  }

  @Test func `a commit by another program is seen only afterwards`() throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = WAL; " + Self.tables)
    let holder = try database.connect()
    try holder.read { try $0.execute(sql: "SELECT * FROM t") }
    let store = try database.open()
    try store.inReadTransaction { () throws in
      #expect(try values(store) == [10, 20])
      try database.run("UPDATE t SET val = 80; INSERT INTO t VALUES (3, 30)")
      #expect(try values(store) == [10, 20])
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 2)
      let nested = try store.inReadTransaction { try values(store) }
      #expect(nested == [10, 20])
    }
    #expect(try values(store) == [80, 80, 30])
  }

  @Test func `with a rollback journal another program waits`() throws {
    let database = try TemporaryDatabase(Self.tables)
    let store = try database.open()
    try store.inReadTransaction { () throws in
      #expect(try values(store) == [10, 20])
      #expect(throws: (any Error).self) { try database.run("UPDATE t SET val = 80") }
      #expect(try values(store) == [10, 20])
    }
    try database.run("UPDATE t SET val = 80")
    #expect(try values(store) == [80, 80])
  }

  @Test func `an error inside is thrown as it is, and the store reads on`() throws {
    struct Mishap: Error {}
    let database = try TemporaryDatabase(Self.tables)
    let store = try database.open()
    #expect(throws: Mishap.self) {
      try store.inReadTransaction {
        _ = try values(store)
        throw Mishap()
      }
    }
    #expect(throws: StoreError.self) {
      try store.inReadTransaction {
        try store.fetch(FetchPlan(entityName: "none"), control: nil)
      }
    }
    #expect(try values(store) == [10, 20])
  }

  @Test func `another store reads by its own transaction`() throws {
    let (first, second) = (
      try TemporaryDatabase(Self.tables), try TemporaryDatabase(Self.tables)
    )
    let (one, other) = (try first.open(), try second.open())
    try one.inReadTransaction { () throws in
      #expect(try values(one) == [10, 20])
      try second.run("UPDATE t SET val = 80")
      #expect(try values(other) == [80, 80])
    }
  }
}
