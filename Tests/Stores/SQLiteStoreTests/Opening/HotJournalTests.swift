import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import Testing

/// Tests that a database is read in whatever state a killed writer left it, with the rows that
/// SQLite's own recovery gives.
struct HotJournalTests {
  /// A transaction in small steps.
  enum Work: String, CaseIterable, Sendable {
    case growing, first, changing, shrinking, vacuum

    var before: String {
      let rows = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO t (a) SELECT zeroblob(3000) FROM n;
        """
      return switch self {
      case .first: "PRAGMA user_version = 0"
      case .growing: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t (a) VALUES (1)"
      case .shrinking: "PRAGMA auto_vacuum = FULL;" + rows
      case .changing, .vacuum: rows
      }
    }

    func step(_ number: Int) -> String {
      switch self {
      case .growing: "INSERT INTO t (a) VALUES (zeroblob(9000))"
      case .first where number == 1: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)"
      case .first: "INSERT INTO t (a) VALUES (zeroblob(9000))"
      case .changing: "UPDATE t SET a = zeroblob(5000) WHERE id = \(number)"
      case .shrinking: "DELETE FROM t WHERE id = \(number)"
      case .vacuum: "UPDATE t SET a = NULL WHERE id = \(number)"
      }
    }
  }

  @Test(arguments: Work.allCases, ["DELETE", "TRUNCATE", "PERSIST"])
  func `a store is read as SQLite repairs it, wherever its writer was killed`(
    _ work: Work, _ mode: String
  ) throws {
    let source = try TemporaryDatabase(work.before)
    let writer = try source.connect()
    var hotCount = 0
    try writer.writeWithoutTransaction { connection in
      _ = try String.fetchOne(connection, sql: "PRAGMA journal_mode = \(mode)")
      try connection.execute(sql: "PRAGMA cache_size = 1; BEGIN")
      for number in 1...25 {
        try connection.execute(sql: work.step(number))
        let (ours, theirs) = (try copy(source), try copy(source))
        let journal = try? Data(contentsOf: URL(fileURLWithPath: ours.path + "-journal"))
        if journal?.prefix(8).contains(where: { $0 != 0 }) == true { hotCount += 1 }
        let expected = try theirs.connect().read {
          try? Int.fetchOne($0, sql: "SELECT count(*) FROM t")
        }
        do {
          let count = try ours.open().count(FetchPlan(entityName: "t"), control: nil)
          #expect(count == expected, "after step \(number)")
        } catch let error as StoreError {
          #expect(expected == nil && error.reason != .corrupt, "after step \(number): \(error)")
        }
      }
      try connection.execute(sql: "ROLLBACK")
    }
    #expect(hotCount > 15)
  }

  private func copy(_ source: TemporaryDatabase) throws -> TemporaryDatabase {
    let copy = try TemporaryDatabase()
    for suffix in ["", "-journal"]
    where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  @Test(arguments: Work.allCases, ["DELETE", "TRUNCATE", "PERSIST"])
  func `a database with a writer at work is locked, not damaged`(_ work: Work, _ mode: String)
    throws
  {
    let database = try TemporaryDatabase(work.before)
    let writer = try database.connect()
    try writer.writeWithoutTransaction { connection in
      _ = try String.fetchOne(connection, sql: "PRAGMA journal_mode = \(mode)")
      try connection.execute(sql: "PRAGMA cache_size = 1; BEGIN")
      for number in 1...25 { try connection.execute(sql: work.step(number)) }
      let error = #expect(throws: StoreError.self) {
        let store = try database.open(.init(busyTimeout: 0.05))
        _ = try store.count(FetchPlan(entityName: "t"), control: nil)
      }
      #expect(error?.reason == .locked || work == .first)
      #expect(error?.reason != .corrupt)
      try connection.execute(sql: "COMMIT")
    }
    #expect(try database.open().count(FetchPlan(entityName: "t"), control: nil) > 0)
  }
}
