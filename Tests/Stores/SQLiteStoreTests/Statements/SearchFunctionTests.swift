import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// `cardfile_contains`, which keeps what it knows of a needle from row to row.
struct SearchFunctionTests {
  private static let texts = ["a quiz", "x", "Über", "needle in hay", "ÉCLAIR", "z"]

  @Test func `a needle may be another one in each row, and in each run`() throws {
    let rows = Self.texts.flatMap { text in
      ["z", "needle", "ub", "clair", "", "a"].map { "('\($0)', '\(text)')" }
    }
    let database = try TemporaryDatabase(
      "CREATE TABLE t(needle TEXT, text TEXT); "
        + "INSERT INTO t VALUES \(rows.joined(separator: ", "))")
    let pool = ConnectionPool(
      settings: ConnectionSettings(
        path: database.path, copyPath: nil, subject: database.path, lockWait: LockWait(timeout: 1)),
      readers: [], usesWAL: false)
    try pool.read(doing: "testing") { connection throws(StoreError) in
      let each = try Statement(
        "SELECT needle, text, cardfile_contains(needle, 3, text) FROM t", on: connection,
        doing: "testing")
      var found: [String: Set<String>] = [:]
      while try each.step() {
        guard case .string(let needle) = each.value(0), case .string(let text) = each.value(1)
        else { continue }
        if each.integer(2) == 1 { found[needle, default: []].insert(text) }
      }
      #expect(
        found == [
          "z": ["a quiz", "z"], "needle": ["needle in hay"], "ub": ["Über"], "clair": ["ÉCLAIR"],
          "a": ["a quiz", "needle in hay", "ÉCLAIR"],
        ])
      let bound = try Statement(
        "SELECT count(*) FROM t WHERE needle = 'z' AND cardfile_contains(?1, 3, text)",
        on: connection, doing: "testing")
      for (needle, count) in [("needle in", 1), ("z", 2), ("clair", 1), ("q", 1), ("ube", 1)] {
        bound.reset()
        try bound.bind(.string(needle), at: 1)
        #expect(try bound.step())
        #expect(bound.integer(0) == count, "\(needle)")
      }
    }
  }
}
