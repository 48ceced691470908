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
