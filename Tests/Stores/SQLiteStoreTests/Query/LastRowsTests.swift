import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// A fetch from the end returns the last rows of the whole order.
struct LastRowsTests {
  @Test(arguments: `An order without SQLite's sort`.databases)
  func `are the end of the whole list, with its sections`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fillWithTies(plain)
    let names = Library.authorAttributes.map(\.name) + ["nick"]
    var checkedCount = 0
    for library in [plain, try CoreDataLibrary.make(from: plain)] {
      for _ in 0..<60 {
        var plan = generator.orderedPlan(by: names, in: library)
        guard let whole = try? fetch(plan, library) else { continue }
        plan.isFromEnd = true
        plan.limit = generator.chance(80) ? Int.random(in: 0...130, using: &generator.random) : nil
        plan.offset = generator.chance(30) ? Int.random(in: 0...130, using: &generator.random) : 0
        let range = plan.window(of: whole.ids.count)
        let last = try fetch(plan, library)
        #expect(last.ids.elementsEqual(whole.ids[range]), "\(plan)")
        #expect(
          last.sections.map(\.count).reduce(0, +) == (plan.sectionKey == nil ? 0 : range.count))
        if let section = last.sections.last, range.upperBound == whole.ids.count {
          #expect(whole.sections.last?.name.hasPrefix(section.name) == true, "\(plan)")
        }
        checkedCount += range.isEmpty ? 0 : 1
      }
    }
    #expect(checkedCount > 40)
  }

  @Test func `two readers find them too`() throws {
    let library = try Library()
    try library.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO author (nick, age) SELECT printf('%d', i * 7919 % 301), i % 7 FROM n
      """)
    var plan = FetchPlan(
      entityName: "Author", sortDescriptors: [.init("nick", comparison: .localized), .init("age")])
    let whole = try fetch(plan, library)
    plan.isFromEnd = true
    plan.limit = 50
    try library.queue.writeWithoutTransaction { database in
      let connection = try Connection(database)
      let query = try FetchQuery(plan, compiler: library.reader.compiler)
      let method = try FetchMethod(
        query, QueryPlan(query.search, on: connection),
        keys: KeyRange(of: library.layout.tables["Author"], on: connection), leastRowCount: 100,
        compiler: library.reader.compiler, on: connection)
      guard case .own(let order, .halves) = method, order.findsFirstRows else {
        Issue.record("\(method)")
        return
      }
    }
    #expect(try fetch(plan, library).ids.elementsEqual(whole.ids.suffix(50)))
  }

  @Test func `are found from the end of the keys or of an index`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE INDEX by_a ON t(a);
      """)
    let store = try database.open()
    for key in ["id", "a"] {
      let plan = FetchPlan(
        entityName: "t", sortDescriptors: [.init(key)], limit: 5, isFromEnd: true)
      let explanation = try store.explanation(of: plan)
      #expect(!explanation.queryPlan.contains { $0.contains("TEMP B-TREE") }, "\(explanation)")
    }
  }

  private func fetch(_ plan: FetchPlan, _ library: Library) throws -> FetchedIDs {
    try library.queue.writeWithoutTransaction { database in
      try library.reader.fetch(plan, control: nil, on: Connection(database))
    }
  }
}
