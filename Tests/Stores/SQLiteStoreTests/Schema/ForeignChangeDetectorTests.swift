import Foundation
import GRDB
import Synchronization
import Testing

@testable import SQLiteStore

/// Tests of detecting commits at the moments when other programs make them.
struct ForeignChangeDetectorTests {
  private func makeDetector(for store: SQLiteStore) -> ForeignChangeDetector {
    ForeignChangeDetector(guardian: store.guardian, pool: store.pool)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a commit while the detector looks is never missed`(_ mode: String) throws {
    for round in 0..<60 {
      let database = try TemporaryDatabase("PRAGMA journal_mode = \(mode); CREATE TABLE t (a)")
      let store = try database.open()
      let detector = makeDetector(for: store)
      let committed = DispatchSemaphore(value: 0)
      let failure = Mutex<(any Error)?>(nil)
      // The first connection to a WAL creates its files, so that the detector must reconnect.
      Thread.detachNewThread {
        defer { committed.signal() }
        do {
          let other = try database.connect(busyTimeout: 5)
          try other.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        } catch {
          failure.withLock { $0 = error }
        }
      }
      var isDetected = false
      while committed.wait(timeout: .now()) == .timedOut {
        if detector.takeChange() { isDetected = true }
      }
      if let error = failure.withLock({ $0 }) { throw error }
      try #require(isDetected || detector.takeChange(), "round \(round)")
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a commit is detected after the database was locked`(_ mode: String) throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(mode); CREATE TABLE t (a)")
    let store = try database.open(SQLiteStore.Options(busyTimeout: 0.01))
    let other = try database.connect()
    let detector = makeDetector(for: store)
    _ = detector.takeChange()
    try other.writeWithoutTransaction { connection in
      try connection.execute(sql: "BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)")
      _ = detector.takeChange()
      try connection.execute(sql: "COMMIT")
    }
    #expect(detector.takeChange())
    #expect(!detector.takeChange())
  }

  @Test func `a detector that is created while the database is locked detects the commit`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open(SQLiteStore.Options(busyTimeout: 0.01))
    let other = try database.connect()
    let detector = try other.writeWithoutTransaction { connection in
      try connection.execute(sql: "BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)")
      let detector = makeDetector(for: store)
      try connection.execute(sql: "COMMIT")
      return detector
    }
    #expect(detector.takeChange())
    #expect(!detector.takeChange())
  }
}
