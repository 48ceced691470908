import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import Synchronization
import Testing

/// Tests of the observation of other programs' commits.
struct WatchingTests {
  /// A handler that counts its calls and can be waited for.
  private final class Handler: Sendable {
    private let count = Mutex(0)
    private let signal = DispatchSemaphore(value: 0)

    func call() {
      count.withLock { $0 += 1 }
      signal.signal()
    }

    var calls: Int { count.withLock { $0 } }

    /// Waits up to 10 seconds for a call that was not waited for yet; returns false if none comes.
    func wait() -> Bool { signal.wait(timeout: .now() + 10) == .success }
  }

  private func insertion(into entity: String, _ values: [String: Value] = [:]) -> SaveRequest {
    let id = ObjectID(storeIdentifier: "", entityName: entity, key: .temporary(1))
    return SaveRequest(inserted: [RowChange(id: id, values: ChangedValues(values))])
  }

  @Test(arguments: ["DELETE", "WAL", "TRUNCATE", "PERSIST"])
  func `a commit of another program is reported before and after a save of this store`(
    _ mode: String
  ) throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let store = try database.open()
    let handler = Handler()
    let observation = store.observeForeignChanges(handler.call)
    let other = try database.connect(busyTimeout: 5)
    try other.writeWithoutTransaction { connection in
      _ = try String.fetchOne(connection, sql: "PRAGMA journal_mode = \(mode)")
      try connection.execute(sql: "INSERT INTO t (a) VALUES (1)")
    }
    #expect(handler.wait())
    _ = try store.save(insertion(into: "t", ["a": 2]))
    try other.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t (a) VALUES (3)") }
    #expect(handler.wait())
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 3)
    observation.cancel()
  }

  @Test func `a store does not report its own saves, only those of others`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let (one, two) = (try database.open(), try database.open())
    let (handler, otherHandler) = (Handler(), Handler())
    let observations = [
      one.observeForeignChanges(handler.call), two.observeForeignChanges(otherHandler.call),
    ]
    for number in 1...3 { _ = try one.save(insertion(into: "t", ["a": .integer(Int64(number))])) }
    // The other store has reported the saves, so both stores have processed the events.
    #expect(otherHandler.wait())
    _ = try two.save(insertion(into: "t"))
    #expect(handler.wait())
    #expect(handler.calls == 1)
    for observation in observations { observation.cancel() }
  }

  @Test func `the replacement of the file is reported`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    let handler = Handler()
    let observation = store.observeForeignChanges(handler.call)
    let next = try TemporaryDatabase("CREATE TABLE t (a)")
    try #require(rename(next.path, database.path) == 0)
    #expect(handler.wait())
    observation.cancel()
  }

  @Test func `a cancelled observation is not called, others still are`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    let (handler, otherHandler) = (Handler(), Handler())
    let observation = store.observeForeignChanges(handler.call)
    let other = store.observeForeignChanges(otherHandler.call)
    observation.cancel()
    try database.run("INSERT INTO t VALUES (1)")
    #expect(otherHandler.wait())
    #expect(handler.calls == 0)
    other.cancel()
    let again = store.observeForeignChanges(handler.call)
    try database.run("INSERT INTO t VALUES (1)")
    #expect(handler.wait())
    again.cancel()
  }

  @Test func `a store can be deallocated while it is observed`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    var store: SQLiteStore? = try database.open()
    weak let gone = store
    let observation = store?.observeForeignChanges {}
    store = nil
    #expect(gone == nil)
    observation?.cancel()
  }
}
