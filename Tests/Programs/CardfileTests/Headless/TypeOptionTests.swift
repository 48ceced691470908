import Foundation
import TestSupport
import Testing

/// Tests of what commands take columns for, and of `--type`.
struct TypeOptionTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "history.sqlite",
      """
      CREATE TABLE history_visits(id INTEGER PRIMARY KEY, visit_time REAL NOT NULL, size INTEGER);
      INSERT INTO history_visits VALUES (1, 770000000.5, 770000000), (2, 531955414.79, 5);
      CREATE TABLE other(size INTEGER); INSERT INTO other VALUES (1);
      """)
  }

  @Test func `describe says how a column is read and why`() throws {
    let lines = try Program.run("describe", store, "history_visits").lines
    let line = try #require(lines.first { $0.contains("visit_time") })
    #expect(
      line.contains("seconds since 2001: REAL, name, all 2 values seen between 2017 and 2025"))
    let chosen = try Program.run("describe", store, "history_visits", "--type", "visit_time=number")
    #expect(chosen.lines.contains { $0.contains("visit_time") && $0.contains("as you said") })
  }

  @Test func `a column is what --type says`() throws {
    func dates(_ types: String...) throws -> [String] {
      let options = types.flatMap { ["--type", $0] }
      let run = try Program.run(
        ["fetch", store, "history_visits", "--columns", "visit_time,size"] + options)
      return run.lines.dropFirst(2).map { String($0) }
    }
    #expect(try dates().first?.contains("2025-05-27") == true)
    #expect(try dates("visit_time=date1970").first?.contains("1994-05-27") == true)
    #expect(try dates("visit_time=number").first?.contains("770000000.5") == true)
    let both = try dates("visit_time=number", "history_visits.size=date2001")
    #expect(both.first?.contains("2025-05-27") == true)
    let count = try Program.run(
      "count", store, "history_visits", "--type", "size=date2001", "--where",
      "size > 2020-01-01 and visit_time > 700000000")
    #expect(count.output == "1\n")
  }

  @Test(arguments: [
    ("vist_time=number", "try: visit_time"), ("visit_time=date201", "date2001"),
    ("visit_time", "visit_time=date2001"), ("history_visits.tim=number", "in history_visits"),
    ("visit_time=", "no kind"),
  ])
  func `an unknown column or kind is an error with the nearest name`(option: String, words: String)
    throws
  {
    let run = try Program.run("count", store, "history_visits", "--type", option)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
