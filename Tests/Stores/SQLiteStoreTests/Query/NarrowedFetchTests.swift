import Foundation
import GRDB
import ObjectModel
import Synchronization
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// A filter of a list that is known gives what a fetch gives.
struct NarrowedFetchTests {
  @Test(arguments: 1...6)
  func `the rows are those of a fetch, in its order and sections`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fill(plain, authors: 300)
    try plain.execute(Generator.hostileTexts)
    let names = Library.authorAttributes.map(\.name)
    var (narrowed, found) = (0, 0)
    for library in [plain, try CoreDataLibrary.make(from: plain)] {
      for _ in 0..<10 {
        let descriptors = generator.sortDescriptors(0...3, of: names)
        var plan = FetchPlan(
          entityName: "Author", includesSubentities: generator.chance(70),
          sortDescriptors: descriptors)
        if generator.chance(60), !descriptors.isEmpty {
          let transform = generator.pick(SectionKey.Transform.allCases)
          plan.sectionKey = SectionKey(descriptors[0].keyPath, transform)
          if transform == .initial { plan.sortDescriptors[0].comparison = .localized }
        }
        let list = TrackedFetch(try Self.fetch(plan, library), plan: plan)
        for _ in 0..<12 {
          plan.predicate = try? FetchPredicate(generator.node(depth: 1))
            .validated(forEntity: "Author", in: library.layout.model)
          let expected = try Self.fetch(plan, library)
          guard let rows = try Self.narrow(list, to: plan, library)?.results else { continue }
          #expect(rows == expected, "\(plan)")
          narrowed += 1
          found += rows.ids.isEmpty ? 0 : 1
        }
      }
    }
    #expect(narrowed > 140 && found > 60, "\(narrowed), \(found)")
  }

  @Test func `only filters of the whole list are narrowed`() throws {
    let library = try Library()
    try library.execute(
      """
      INSERT INTO author (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'ab')
      """)
    let list = FetchPlan(entityName: "Author", sortDescriptors: [.init("name", ascending: false)])
    func keys(_ list: FetchPlan, _ change: (inout FetchPlan) -> Void) throws -> [ObjectKey]? {
      var plan = list
      plan.predicate = try FetchPredicate(format: "name CONTAINS 'a'")
        .validated(forEntity: "Author", in: library.layout.model)
      change(&plan)
      let whole = TrackedFetch(try Self.fetch(list, library), plan: list)
      return try Self.narrow(whole, to: plan, library)?.results.ids.map(\.key)
    }
    #expect(try keys(list) { _ in } == [.integer(3), .integer(1)])
    #expect(try keys(list) { $0.predicate = nil }?.count == 3)
    #expect(try keys(list) { $0.limit = 1 } == nil)
    #expect(try keys(list) { $0.offset = 1 } == nil)
    #expect(try keys(list) { $0.sortDescriptors = [.init("name")] } == nil)
    #expect(try keys(list) { $0.includesSubentities = false } == nil)
    #expect(try keys(list) { $0.entityName = "Book" } == nil)
    var first = list
    first.limit = 2
    #expect(try keys(first) { $0.limit = nil } == nil)
    // One key far away: its bits would take more memory than the list.
    try library.execute("INSERT INTO author (id, name) VALUES (\(Int64.max), 'a')")
    #expect(try keys(list) { _ in } == nil)
    try library.execute("UPDATE author SET id = 8000000 WHERE id = \(Int64.max)")
    #expect(try keys(list) { _ in } == nil)
    try library.execute("UPDATE author SET id = 200 WHERE id = 8000000")
    #expect(try keys(list) { _ in }?.count == 3)
  }

  @Test func `a list that lacks a row is not trusted`() throws {
    let library = try Library()
    try library.execute("INSERT INTO author (id, name) VALUES (1, 'a'), (2, 'b')")
    var plan = FetchPlan(entityName: "Author", sortDescriptors: [.init("name")])
    let list = TrackedFetch(try Self.fetch(plan, library), plan: plan)
    try library.execute("INSERT INTO author (id, name) VALUES (3, 'c')")
    plan.predicate = try FetchPredicate(format: "name > 'a'")
      .validated(forEntity: "Author", in: library.layout.model)
    #expect(try Self.narrow(list, to: plan, library) == nil)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a list is narrowed until somebody commits, on any connection`(_ journal: String) throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'b'), (3, 'a');
      """)
    waitUntilSettled()
    let store = try database.open()
    var plan = FetchPlan(entityName: "t", sortDescriptors: [.init("a")])
    let list = try store.refetch(plan, since: nil, keepingIn: nil, control: nil)
    #expect(!list.isIncremental)
    #expect(
      try store.refetch(plan, since: list, keepingIn: nil, control: nil).results == list.results)
    plan.predicate = try FetchPredicate(format: "a > 'a'").validated(
      forEntity: "t", in: store.model)
    let filter = plan
    let narrow: @Sendable () throws -> TrackedFetch = {
      try store.refetch(filter, since: list, keepingIn: nil, control: nil)
    }
    let first = try narrow()
    #expect(first.isIncremental)
    #expect(try first.results == store.fetch(filter, control: nil))
    // Another thread reads on another connection meanwhile.
    let other = try store.inReadTransaction {
      _ = try store.fetch(filter, control: nil)
      return try onThread(narrow)
    }
    #expect(other.isIncremental && other.results == first.results)
    try database.run("UPDATE t SET a = '0' WHERE id = 1; INSERT INTO t VALUES (4, 'c')")
    let second = try narrow()
    #expect(!second.isIncremental)
    #expect(try second.results == store.fetch(filter, control: nil))
    #expect(second.results.ids.map(\.key) == [.integer(2), .integer(4)])
  }

  // MARK: Fetching

  /// Runs a closure on another thread.
  private func onThread<Result: Sendable>(_ body: @Sendable @escaping () throws -> Result) throws
    -> Result
  {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    Thread {
      let found = Swift.Result { try body() }
      result.withLock { $0 = found }
      done.signal()
    }.start()
    done.wait()
    return try #require(result.withLock { $0 }).get()
  }

  private static func narrow(_ list: TrackedFetch, to plan: FetchPlan, _ library: Library) throws
    -> TrackedFetch?
  {
    try library.queue.writeWithoutTransaction { database in
      try library.reader.narrow(
        list, to: plan, control: nil, on: Connection(database), besides: nil)
    }
  }

  private static func fetch(_ plan: FetchPlan, _ library: Library) throws -> FetchedIDs {
    try library.queue.writeWithoutTransaction { database in
      try library.reader.fetch(plan, control: nil, on: Connection(database))
    }
  }
}
