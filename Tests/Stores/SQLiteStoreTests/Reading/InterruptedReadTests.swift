import Foundation
import GRDB
import ObjectModel
import SQLQueries
import Synchronization
import Testing

@testable import SQLiteStore

/// Reads that a save of the same store interrupts, because no other commit is possible while somebody
/// reads.
@Suite struct `A read that a save interrupts` {
  /// A closure may wrap the error of the interruption, and so does SQLite.
  @Test(arguments: [StoreError.Reason.cancelled, .other, .corrupt])
  func `is repeated, whatever its error is`(reason: StoreError.Reason) async throws {
    let database = try TemporaryDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    let pool = ConnectionPool(
      settings: ConnectionSettings(
        path: database.path, copyPath: nil, subject: database.path, lockWait: LockWait(timeout: 10)),
      readers: [], usesWAL: false)
    let attempts = Atomic(0)
    let saved = DispatchGroup()
    let count = try pool.read(doing: "testing") { connection throws(StoreError) in
      if attempts.add(1, ordering: .relaxed).newValue == 1 {
        saved.enter()
        // A thread of its own: those of the queues may be busy with the endless statements.
        Thread.detachNewThread {
          try? pool.write(doing: "saving") { connection throws(StoreError) in
            let statement = try Statement(
              "INSERT INTO t VALUES (1)", on: connection, doing: "testing")
            _ = try statement.step()
          }
          saved.leave()
        }
        // It has no end but the interrupt.
        let endless = try Statement(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
          on: connection, doing: "testing")
        #expect(throws: StoreError.self) { _ = try endless.step() }
        throw StoreError(reason, doing: "testing")
      }
      let statement = try Statement("SELECT count(*) FROM t", on: connection, doing: "testing")
      _ = try statement.step()
      return statement.integer(0)
    }
    saved.wait()
    #expect(attempts.load(ordering: .relaxed) == 2)
    #expect(count == 1)
  }

  /// An interrupt that SQLite meets while it declares a virtual table, as in
  /// `SELECT * FROM pragma_schema_version`, has the code of any error: a function has the same.
  @Test func `is cancelled, though SQLite calls it an error`() throws {
    let database = try TemporaryDatabase()
    try database.connect().writeWithoutTransaction { own in
      own.add(
        function: DatabaseFunction("meet_interrupt", argumentCount: 0) { _ in
          throw DatabaseError(resultCode: .SQLITE_ERROR, message: "interrupted")
        })
      let connection = try Connection(own)
      let error = #expect(throws: StoreError.self) {
        _ = try Statement("SELECT meet_interrupt()", on: connection, doing: "testing").step()
      }
      #expect(error?.reason == .cancelled)
      let other = #expect(throws: DatabaseError.self) {
        try own.execute(sql: "SELECT meet_interrupt()")
      }
      #expect(other?.resultCode == .SQLITE_ERROR)
      #expect(try StoreError(#require(other), doing: "testing", subject: "").reason == .cancelled)
    }
  }
}
