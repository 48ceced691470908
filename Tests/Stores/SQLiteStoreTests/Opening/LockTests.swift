import Foundation
import GRDB
import ObjectModel
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// What is read while another program holds a lock.
struct LockTests {
  private static let rows = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO t (a) SELECT zeroblob(3000) FROM n;
    """

  private static let plan = FetchPlan(entityName: "t")

  /// A store, and another program that has it open and holds locks.
  private struct Scene {
    let database: TemporaryDatabase
    let other: DatabaseQueue
    let store: SQLiteStore
    let locks: FileLocks

    /// Many tests block the threads of all tasks: one that releases a lock can be late by minutes.
    init(_ kind: FileLocks.Kind, busyTimeout: Double = 3600) throws {
      database = try TemporaryDatabase(LockTests.rows)
      other = try database.connect()
      let mode = kind == .walIndex ? "WAL" : "DELETE"
      try other.writeWithoutTransaction {
        _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
        _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM t")
      }
      store = try database.open(.init(busyTimeout: busyTimeout))
      locks = try #require(FileLocks(kind, of: database.path))
    }
  }

  /// What one task tells another.
  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool {
      get { value.load(ordering: .sequentiallyConsistent) }
      set { value.store(newValue, ordering: .sequentiallyConsistent) }
    }
  }

  private func withoutWaiting<Result>(_ body: (FetchControl) throws -> Result) rethrows -> Result {
    let control = FetchControl(waits: false)
    return try FetchControl.$current.withValue(control) { try body(control) }
  }

  @Test(arguments: FileLocks.Kind.allCases)
  func `a thread that may not wait is refused at once, without SQL`(_ kind: FileLocks.Kind) throws {
    let scene = try Scene(kind)
    withoutWaiting { control in
      let error = #expect(throws: StoreError.self) {
        try scene.store.count(Self.plan, control: nil)
      }
      #expect(error?.reason == .locked && error?.sql == "" && error?.detail == "")
      #expect(control.hasMetLock && !scene.store.isWaitingForLock && scene.locks.areHeld)
      // One attempt is enough for all that is read with the same control.
      scene.locks.release()
      #expect(throws: StoreError.self) { try scene.store.count(Self.plan, control: nil) }
    }
    let count = try withoutWaiting { _ in try scene.store.count(Self.plan, control: nil) }
    #expect(count == 60)
  }

  @Test(arguments: FileLocks.Kind.allCases)
  func `a save of a thread that may not wait is refused at once`(_ kind: FileLocks.Kind) throws {
    let scene = try Scene(kind)
    let request = SaveRequest()
    withoutWaiting { _ in
      let error = #expect(throws: StoreError.self) { try scene.store.save(request) }
      #expect(error?.reason == .locked && scene.locks.areHeld)
    }
  }

  @Test func `a thread in the background waits until the lock is released, and says so`()
    async throws
  {
    let scene = try Scene(.exclusive)
    let hasBegun = Flag()
    let locks = scene.locks
    scene.store.observeLockWaits { hasBegun.isSet = true }
    let store = scene.store
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask { try store.count(Self.plan, control: FetchControl()) }
      while !hasBegun.isSet { await Task.yield() }
      // The thread that draws has a reader all the same, and does not wait for it.
      let isRefused = FetchControl.$current.withValue(FetchControl(waits: false)) {
        (try? store.count(Self.plan, control: nil)) == nil
      }
      #expect(isRefused && locks.areHeld)
      locks.release()
      return try await group.next()
    }
    #expect(count == 60)
  }

  @Test(arguments: FileLocks.Kind.allCases)
  func `a fetch that is cancelled waits no longer`(_ kind: FileLocks.Kind) async throws {
    let scene = try Scene(kind)
    let (store, locks, control) = (scene.store, scene.locks, FetchControl())
    let reason = await withTaskGroup(of: StoreError.Reason?.self) { group in
      group.addTask {
        do throws(StoreError) {
          _ = try store.fetch(Self.plan, control: control)
          return nil
        } catch { return error.reason }
      }
      control.cancel()
      return await group.next() ?? nil
    }
    #expect(reason == .cancelled && locks.areHeld)
  }

  @Test func `a hot journal that appears is said to need another opening`() throws {
    let database = try TemporaryDatabase(Self.rows)
    let hot = try Self.crashed(database)
    let store = try database.open()
    #expect(try store.count(Self.plan, control: nil) == 60)
    try hot()
    let error = #expect(throws: StoreError.self) { try store.count(Self.plan, control: nil) }
    #expect(error?.reason == .replaced && store.isOutdated)
    #expect(try database.open().count(Self.plan, control: nil) == 60)
  }

  /// A closure that puts a state into place in which a writer was killed.
  private static func crashed(_ database: TemporaryDatabase) throws -> () throws -> Void {
    let source = try TemporaryDatabase(rows)
    let writer = try source.connect()
    var files: [Data] = []
    try writer.writeWithoutTransaction { connection in
      try connection.execute(sql: "PRAGMA cache_size = 1; BEGIN; DELETE FROM t WHERE id > 5")
      files = try ["", "-journal"].map {
        try Data(contentsOf: URL(fileURLWithPath: source.path + $0))
      }
      try connection.execute(sql: "ROLLBACK")
    }
    return {
      for (suffix, bytes) in zip(["-journal", ""], files.reversed()) {
        // In place, so that it is the same file.
        let path = database.path + suffix
        if suffix.isEmpty {
          let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
          try file.write(contentsOf: bytes)
        } else {
          try bytes.write(to: URL(fileURLWithPath: path))
        }
      }
    }
  }

  // MARK: Copies

  /// How another program keeps the database from being read.
  enum Holder: String, CaseIterable, Sendable {
    case exclusive, amidChange, exclusiveLog

    var mode: String { self == .exclusiveLog ? "WAL" : "DELETE" }
    /// What has happened before, and goes on.
    var work: String {
      switch self {
      case .exclusive: "BEGIN EXCLUSIVE"
      case .amidChange: "PRAGMA cache_size = 1; BEGIN; DELETE FROM t WHERE id > 5"
      case .exclusiveLog:
        "PRAGMA wal_autocheckpoint = 0; INSERT INTO t (a) VALUES (1); BEGIN EXCLUSIVE;"
          + "DELETE FROM t"
      }
    }
    var rowCount: Int { self == .exclusiveLog ? 61 : 60 }
  }

  @Test(arguments: Holder.allCases)
  func `a copy of a database that another program holds has what was committed`(_ holder: Holder)
    throws
  {
    let database = try TemporaryDatabase(Self.rows)
    let other = try database.connect()
    try other.writeWithoutTransaction { connection in
      try connection.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      _ = try String.fetchOne(connection, sql: "PRAGMA journal_mode = \(holder.mode)")
      try connection.execute(sql: holder.work)
    }
    #expect(throws: StoreError.self) { try database.open(.init(busyTimeout: 0)) }
    let before = try database.files
    let store = try database.open(.init(readsCopy: true))
    #expect(try store.count(Self.plan, control: nil) == holder.rowCount)
    #expect(try database.files == before)
    #expect(store.summary.copied != nil && store.summary.readOnlyReason == "it is a copy")
    #expect(throws: StoreError.self) { try store.save(SaveRequest()) }
    #expect(!store.isOutdated)
    try other.writeWithoutTransaction { connection in
      try connection.execute(sql: "COMMIT; INSERT INTO t (a) VALUES (2)")
    }
    #expect(store.isOutdated)
    #expect(try store.count(Self.plan, control: nil) == holder.rowCount)
  }

  @Test func `a copy that is made amid commits to a log is one state`() async throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL; CREATE TABLE a (x); CREATE TABLE b (x);")
    let isDone = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let writer = try database.connect(busyTimeout: 5)
        try writer.writeWithoutTransaction { connection in
          try connection.execute(sql: "PRAGMA wal_autocheckpoint = 20")
          while !isDone.isSet {
            try connection.execute(
              sql: """
                BEGIN; INSERT INTO a VALUES (zeroblob(9000)); INSERT INTO b VALUES (zeroblob(9000));
                COMMIT
                """)
          }
        }
      }
      var copies = 0
      for _ in 0..<20 {
        do throws(StoreError) {
          let store = try database.open(.init(readsCopy: true))
          let counts = try ["a", "b"].map { name throws(StoreError) in
            try store.count(FetchPlan(entityName: name), control: nil)
          }
          #expect(counts[0] == counts[1])
          copies += 1
        } catch {
          #expect(error.reason == .locked, "\(error)")
        }
      }
      isDone.isSet = true
      #expect(copies > 0)
      try await group.waitForAll()
    }
  }
}
