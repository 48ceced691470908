import Foundation
import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

/// A fetch with a limit returns the first rows of the whole order.
struct FirstRowsTests {
  private static let texts = [
    "a", "B", "ä", "Ab", "aB", "éa", "e\u{301}z", "z", "Zz", "", " x", "#1", "10", "9", "ß", "ss",
    "Ł", "l", "日本", "a\u{301}", "ab\u{301}", "abc", "abd", "ABC",
  ]

  private static let statements: String = {
    var rows: [String] = []
    for number in 0..<900 {
      let text = texts[(number &* 7919 &+ number / 13) % texts.count]
      let value =
        switch number % 29 {
        case 0: "NULL"
        case 1: "\(number)"
        case 2: "x'6162'"
        default: "'\(text)\(number % 5 == 0 ? "\(number % 11)" : "")'"
        }
      rows.append("(\(value), \(number % 3))")
    }
    return "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t (a, b) VALUES "
      + rows.joined(separator: ", ")
  }()

  @Test(arguments: [true, false], [1, 7, 60, 899, 2_000])
  func `a fetch with a limit returns the first rows of the order`(_ ascending: Bool, _ limit: Int)
    throws
  {
    let database = try TemporaryDatabase(Self.statements)
    let store = try database.open()
    for comparison in [
      FetchSortDescriptor.Comparison.localized, .caseInsensitive, .localized(numeric: true),
      .binary,
    ] {
      var plan = FetchPlan(
        entityName: "t",
        sortDescriptors: [
          FetchSortDescriptor("a", ascending: ascending, comparison: comparison),
          FetchSortDescriptor("b", ascending: false),
        ])
      let whole = Array(try store.fetch(plan, control: nil).ids)
      #expect(whole.count == 900)
      plan.limit = limit
      #expect(Array(try store.fetch(plan, control: nil).ids) == Array(whole.prefix(limit)))
      #expect(try store.count(plan, control: nil) == min(limit, 900))
      plan.offset = 5
      #expect(
        Array(try store.fetch(plan, control: nil).ids) == Array(whole.dropFirst(5).prefix(limit)))
    }
  }

  @Test(arguments: ["text", "pair", "any", "numbered"])
  func `a fetch with a limit returns the first and last rows whatever the keys are`(_ name: String)
    throws
  {
    // Keys in other orders than that of the rows; texts that collations take for equal.
    let database = try TemporaryDatabase(
      """
      \(Self.statements);
      CREATE TABLE text (k TEXT PRIMARY KEY COLLATE NOCASE, a, b) WITHOUT ROWID;
      INSERT INTO text SELECT CASE id % 2 WHEN 0 THEN 'k' ELSE 'K' END || (id * 7919 % 1009), a, b
        FROM t;
      CREATE TABLE pair (k TEXT COLLATE RTRIM, n INTEGER, a, b, PRIMARY KEY (k, n)) WITHOUT ROWID;
      INSERT INTO pair SELECT substr('x y  z   ', id % 5, 3), id * 7919 % 1009, a, b FROM t;
      CREATE TABLE "any" (k PRIMARY KEY, a, b) WITHOUT ROWID;
      INSERT INTO "any" SELECT CASE id % 4 WHEN 0 THEN id WHEN 1 THEN id / 7.0
        WHEN 2 THEN CAST(id AS TEXT) ELSE CAST(id AS BLOB) END, a, b FROM t;
      CREATE VIEW numbered AS SELECT a, b FROM t;
      """)
    let store = try database.open()
    var plan = FetchPlan(entityName: name)
    if name != "numbered" {
      let ids = Array(try store.fetch(plan, control: nil).ids)
      #expect(ids == ids.sorted(), "SQLite has the order of IDs.")
      #expect(ids.allSatisfy { if case .composite = $0.key { true } else { false } })
    }
    plan.sortDescriptors = [FetchSortDescriptor("a", comparison: .localized)]
    for key in ["b", "a"] {
      plan.sortDescriptors = [FetchSortDescriptor(key, comparison: .localized)]
      for ascending in [true, false] {
        plan.sortDescriptors[0].ascending = ascending
        plan.sectionKey = key == "a" ? SectionKey("a", .initial) : nil
        plan.limit = nil
        let whole = Array(try store.fetch(plan, control: nil).ids)
        #expect(whole.count == 900)
        for (limit, offset) in [(1, 0), (60, 0), (400, 30), (2_000, 7)] {
          (plan.limit, plan.offset, plan.isFromEnd) = (limit, offset, false)
          let first = try store.fetch(plan, control: nil)
          #expect(Array(first.ids) == Array(whole.dropFirst(offset).prefix(limit)))
          #expect(
            first.sections.map(\.count).reduce(0, +)
              == (plan.sectionKey == nil ? 0 : first.ids.count))
          plan.isFromEnd = true
          #expect(
            Array(try store.fetch(plan, control: nil).ids)
              == Array(whole.dropLast(offset).suffix(limit)))
        }
        (plan.offset, plan.isFromEnd) = (0, false)
      }
    }
  }

  @Test func `a fetch with a limit keeps the order of a UTF-16 database`() throws {
    let database = try TemporaryDatabase("PRAGMA encoding = 'UTF-16le'; " + Self.statements)
    let store = try database.open()
    var plan = FetchPlan(
      entityName: "t",
      sortDescriptors: [FetchSortDescriptor("a", comparison: .localized)])
    let whole = Array(try store.fetch(plan, control: nil).ids)
    plan.limit = 60
    #expect(Array(try store.fetch(plan, control: nil).ids) == Array(whole.prefix(60)))
  }
}
