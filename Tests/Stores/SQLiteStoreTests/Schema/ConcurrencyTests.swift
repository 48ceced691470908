import Dispatch
import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import Synchronization
import Testing

/// Tests of reading and saving on several threads.
struct ConcurrencyTests {
  private static let manyRows = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
    INSERT INTO t SELECT i, i FROM n;
    CREATE VIEW slow AS SELECT max(t1.a + t2.a) AS most FROM t AS t1, t AS t2;
    """

  private func insertion() -> SaveRequest {
    let id = ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(1))
    return SaveRequest(inserted: [RowChange(id: id, values: ["a": 0])])
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a save succeeds while a long fetch runs and completes`(_ mode: String)
    async throws
  {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(mode); \(Self.manyRows)")
    let store = try database.open()
    async let fetched = fetchSlowly(store)
    for _ in 0..<5 { _ = try store.save(insertion()) }
    #expect(try await fetched == 1)
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 605)
  }

  @concurrent private func fetchSlowly(_ store: SQLiteStore) async throws -> Int {
    try store.fetch(FetchPlan(entityName: "slow"), control: nil).ids.count
  }

  @Test func `many threads can read and save at the same time`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let store = try database.open(.init(busyTimeout: 10))
    let group = DispatchGroup()
    let errors = Mutex<[String]>([])
    for thread in 0..<8 {
      DispatchQueue.global().async(group: group) {
        do {
          for _ in 0..<10 {
            if thread < 2 {
              let id = ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(1))
              _ = try store.save(SaveRequest(inserted: [RowChange(id: id)]))
            } else {
              _ = try store.fetch(FetchPlan(entityName: "t"), control: nil)
            }
          }
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
    }
    group.wait()
    #expect(errors.withLock { $0 } == [])
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 20)
  }
}
