import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import Synchronization
import Testing

/// Commits of others, and the handlers that hear of them.
struct WatchingTests {
  /// Counts calls, and waits for them.
  private final class Ear: Sendable {
    private let count = Mutex(0)
    private let signal = DispatchSemaphore(value: 0)

    func hear() {
      count.withLock { $0 += 1 }
      signal.signal()
    }

    var calls: Int { count.withLock { $0 } }

    /// Waits for a call that nobody has waited for yet.
    func wait() -> Bool { signal.wait(timeout: .now() + 10) == .success }
  }

  private func insertion(into entity: String, _ values: [String: Value] = [:]) -> SaveRequest {
    let id = ObjectID(storeIdentifier: "", entityName: entity, key: .temporary(1))
    return SaveRequest(inserted: [RowChange(id: id, values: values)])
  }

  @Test(arguments: ["DELETE", "WAL", "TRUNCATE", "PERSIST"])
  func `a commit of another is heard, before and after a save of our own`(_ mode: String) throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let store = try database.open()
    let ear = Ear()
    let observation = store.observeForeignChanges(ear.hear)
    let other = try database.connect(busyTimeout: 5)
    try other.writeWithoutTransaction { connection in
      _ = try String.fetchOne(connection, sql: "PRAGMA journal_mode = \(mode)")
      try connection.execute(sql: "INSERT INTO t (a) VALUES (1)")
    }
    #expect(ear.wait())
    _ = try store.save(insertion(into: "t", ["a": 2]))
    try other.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t (a) VALUES (3)") }
    #expect(ear.wait())
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 3)
    observation.cancel()
  }

  @Test func `a save of our own is not heard, one of another store is`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let (one, two) = (try database.open(), try database.open())
    let (ear, otherEar) = (Ear(), Ear())
    let observations = [
      one.observeForeignChanges(ear.hear), two.observeForeignChanges(otherEar.hear),
    ]
    for number in 1...3 { _ = try one.save(insertion(into: "t", ["a": .integer(Int64(number))])) }
    // The other store has heard it: whatever notices there were have been looked at by both.
    #expect(otherEar.wait())
    _ = try two.save(insertion(into: "t"))
    #expect(ear.wait())
    #expect(ear.calls == 1)
    for observation in observations { observation.cancel() }
  }

  @Test func `a file that is replaced is heard`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    let ear = Ear()
    let observation = store.observeForeignChanges(ear.hear)
    let next = try TemporaryDatabase("CREATE TABLE t (a)")
    try #require(rename(next.path, database.path) == 0)
    #expect(ear.wait())
    observation.cancel()
  }

  @Test func `an observation that was cancelled hears nothing, others go on`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    let (ear, otherEar) = (Ear(), Ear())
    let observation = store.observeForeignChanges(ear.hear)
    let other = store.observeForeignChanges(otherEar.hear)
    observation.cancel()
    try database.run("INSERT INTO t VALUES (1)")
    #expect(otherEar.wait())
    #expect(ear.calls == 0)
    other.cancel()
    let again = store.observeForeignChanges(ear.hear)
    try database.run("INSERT INTO t VALUES (1)")
    #expect(ear.wait())
    again.cancel()
  }

  @Test func `a store can be let go while it is watched`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    var store: SQLiteStore? = try database.open()
    weak let gone = store
    let observation = store?.observeForeignChanges {}
    store = nil
    #expect(gone == nil)
    observation?.cancel()
  }
}
