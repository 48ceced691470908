import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Columns that the list leaves out, because the sampled rows all have one value in them.
@MainActor @Suite struct HiddenColumnsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 5,000 jobs, of which one has failed.
  private func stage(
    width: Int = 80, height: Int = 24, options: AppOptions = AppOptions(columns: nil)
  ) throws -> Stage {
    let path = folder.path("jobs.sqlite")
    if !FileManager.default.fileExists(atPath: path) {
      try DatabaseQueue(path: path).write {
        try $0.execute(
          sql: """
            CREATE TABLE job (id INTEGER PRIMARY KEY, name TEXT, status TEXT, error TEXT, host TEXT,
              boss INTEGER REFERENCES boss(id));
            CREATE TABLE boss (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO boss VALUES (1, 'Ann'), (2, 'Zoe');
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO job SELECT i, 'job ' || i, iif(i = 4321, 'failed', 'ok'),
              iif(i = 4321, 'disk full', NULL), 'h1', iif(i = 4999, 2, 1) FROM n;
            """)
      }
    }
    return try Stage(
      "job", width: width, height: height, options: options,
      opened: SQLiteStore.open(path: path), services: StoreServices())
  }

  @Test(arguments: [(80, 24, "+4 hidden"), (200, 50, "+4 hidden"), (40, 10, "+4")])
  func `hidden columns are counted in the header`(width: Int, height: Int, count: String)
    throws
  {
    let stage = try stage(width: width, height: height)
    let line = stage.lines[width < 58 ? 1 : 0]
    #expect(line.contains(count), "\(line)")
  }

  @Test(arguments: [
    ("failed", "status", "failed"), ("disk", "error", "disk full"), ("zoe", "boss_object", "Zoe"),
  ])
  func `a word in a hidden column is found, and the column is shown while the filter lasts`(
    word: String, title: String, value: String
  ) throws {
    for (width, height) in [(80, 24), (200, 50)] {
      let stage = try stage(width: width, height: height)
      stage.type("/\(word)")
      stage.press(.enter)
      #expect(stage.lines[0].contains("1 of 5,000"), "\(stage.lines[0])")
      #expect(stage.lines[1].contains(title), "\(stage.lines[1])")
      #expect(stage.lines[0].contains("+3 hidden"), "\(stage.lines[0])")
      #expect(stage.cursorLine.contains(value), "\(stage.cursorLine)")
      stage.press(.escape)
      #expect(!stage.lines[1].contains(title) && stage.lines[0].contains("+4 hidden"))
    }
  }

  @Test func `where there is room for one column, the one with the match is shown`() throws {
    let stage = try stage(width: 20, height: 5)
    stage.type("/failed")
    stage.press(.enter)
    #expect(stage.lines.joined().contains("failed"), "\(stage.lines)")
  }

  @Test func `f goes to a match in a hidden column and shows the column`() throws {
    let stage = try stage()
    stage.type("ffailed")
    stage.press(.enter)
    #expect(stage.cursorLine.contains("job 4321") && stage.cursorLine.contains("failed"))
    #expect(stage.lines[1].contains("status"))
  }

  @Test func `a condition shows the hidden columns that it names`() throws {
    let stage = try stage()
    stage.type("/status = \"failed\"")
    stage.press(.enter)
    #expect(stage.lines[1].contains("status") && stage.cursorLine.contains("failed"))
  }

  @Test func `copies and exports have all columns, unless some were chosen, and say how many`()
    throws
  {
    let stage = try stage()
    stage.type("yy")
    #expect(stage.copies.last == "job 1\t1\tok\t\th1\tAnn")
    #expect(stage.status.contains("6 columns, 4 of them hidden"), "\(stage.status)")
    stage.app.exportList(to: folder.path("all.csv"), replacing: false)
    stage.wait {
      stage.settle()
      return stage.app.export == nil
    }
    #expect(stage.status.contains("6 columns, 4 of them hidden"), "\(stage.status)")
    let text = try String(contentsOfFile: folder.path("all.csv"), encoding: .utf8)
    #expect(text.hasPrefix("name,id,status,error,host,boss_object\r\njob 1,1,ok,,h1,Ann\r\n"))
    let chosen = try self.stage(options: AppOptions(columns: ["name", "host"]))
    chosen.type("yy")
    #expect(chosen.copies.last == "job 1\th1")
    #expect(chosen.status.contains("2 columns") && !chosen.status.contains("hidden"))
  }
}
