import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// The objects after and before a place are the rest of the whole order.
struct PlaceTests {
  @Test(arguments: `An order without SQLite's sort`.databases)
  func `fetches and counts beside the place of an object divide the whole list`(seed: UInt64)
    throws
  {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fillWithTies(plain)
    let names = Library.authorAttributes.map(\.name) + ["nick", "id"]
    var checkedCount = 0
    for library in [plain, try CoreDataLibrary.make(from: plain)] {
      for _ in 0..<60 {
        let plan = generator.orderedPlan(by: names, in: library)
        guard let whole = try? fetch(plan, library) else { continue }
        let index = Int.random(in: 0..<max(whole.ids.count, 1), using: &generator.random)
        guard whole.ids.indices.contains(index) else { continue }
        let isAfter = generator.chance(50)
        guard
          let terms = try library.read({ reader, connection in
            try reader.terms(of: whole.ids[index], in: plan, isOfSection: false, on: connection)
          })
        else { continue }
        let middle = index + (isAfter ? 1 : 0)
        let places: [(FetchPlace, Int)] = [
          (FetchPlace.start, 0), (.end, whole.ids.count),
          (FetchPlace(terms: terms, isAfter: isAfter), middle),
        ]
        for (place, start) in places {
          var part = plan
          part.place = place
          part.limit = generator.chance(70) ? Int.random(in: 1...90, using: &generator.random) : nil
          let count = part.limit ?? .max
          let after = try fetch(part, library)
          #expect(after.ids.elementsEqual(whole.ids[start...].prefix(count)), "\(part)")
          part.isFromEnd = true
          let before = try fetch(part, library)
          #expect(before.ids.elementsEqual(whole.ids[..<start].suffix(count)), "\(part)")
          for fetched in [before, after] where plan.sectionKey != nil {
            #expect(fetched.sections.map(\.count).reduce(0, +) == fetched.ids.count)
          }
          part.limit = nil
          let counted = try library.read { reader, connection in
            try reader.count(part, control: nil, on: connection)
          }
          #expect(counted == start, "\(part)")
          checkedCount += 1
        }
      }
    }
    #expect(checkedCount > 100)
  }

  @Test(arguments: [["id"], ["n", "x"], ["x"], ["-n", "-x"], ["-id"]])
  func `are looked up in an index`(order: [String]) throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, x TEXT);
      CREATE INDEX by_n ON t(n, x);
      CREATE INDEX by_x ON t(x);
      INSERT INTO t (n, x) VALUES (NULL, NULL), (NULL, 'a'), (1, NULL), (1, 'a'), (1, 'b'), (2, 'a');
      """)
    let store = try database.open()
    let sorts = order.map { name in
      FetchSortDescriptor(
        String(name.drop { $0 == "-" }), ascending: !name.hasPrefix("-"))
    }
    for key in 1...6 as ClosedRange<Int64> {
      for isFromEnd in [false, true] {
        let id = ObjectID(storeIdentifier: store.identifier, entityName: "t", key: .integer(key))
        var plan = FetchPlan(
          entityName: "t", sortDescriptors: sorts, limit: 2, isFromEnd: isFromEnd)
        plan.place = try store.place(of: id, in: plan, isAfter: !isFromEnd, isOfSection: false)
        let (reader, beside) = (store.reader, plan)
        let lines: [String] = try store.read(doing: "testing") { connection throws(StoreError) in
          var lines: [String] = []
          for step in try reader.steps(of: beside) {
            let query = try FetchQuery(beside, compiler: reader.compiler, step: step)
            lines += try QueryPlan(query.search, on: connection).lines
          }
          return lines
        }
        #expect(!lines.contains { $0.hasPrefix("SCAN") }, "\(order): \(lines)")
        #expect(!lines.contains { $0 == "USE TEMP B-TREE FOR ORDER BY" }, "\(order): \(lines)")
      }
    }
  }

  /// Values that come again and again are no reason to be far off.
  @Test func `a share of a list is about where it is`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER);
      WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 36000)
        INSERT INTO t SELECT i, i % 90 FROM i;
      """)
    let store = try database.open()
    for key in ["n", "id"] {
      let plan = FetchPlan(entityName: "t", sortDescriptors: [FetchSortDescriptor(key)])
      let all = try store.fetch(plan, control: nil).ids
      for part in [0.1, 0.5, 0.9] {
        let id = try #require(try store.objectID(at: part, of: plan))
        let share = Double(try #require(all.index(of: id))) / Double(all.count)
        #expect(abs(share - part) < 0.05, "\(key) \(part): \(share)")
      }
    }
  }

  private func fetch(_ plan: FetchPlan, _ library: Library) throws -> FetchedIDs {
    try library.read { reader, connection in
      try reader.fetch(plan, control: nil, on: connection)
    }
  }
}

extension Library {
  fileprivate func read<Result>(_ body: (StoreReader, Connection) throws -> Result) throws -> Result
  {
    try queue.writeWithoutTransaction { database in try body(reader, Connection(database)) }
  }
}
