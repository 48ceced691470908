import FetchedResults
import Foundation
import GRDB
import ListProviders
import ManagedObjects
import ObjectModel
import PostgreSQLStore
import SQLiteStore
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp
@testable import TerminalApplications

/// What is done with all objects of a windowed list goes by their condition; none is read for it.
@MainActor @Suite struct WindowedMarksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 5,000 people; a tenth of them are of no known age.
  private func script(more: String = "") -> String {
    """
    CREATE TABLE people (id integer PRIMARY KEY, name text, age integer);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO people SELECT i, 'p' || i, nullif(i % 10, 0) FROM n;
    CREATE INDEX by_age ON people(age);
    \(more)
    """
  }

  private func stage(
    onServer: Bool = false, more: String = "", sort: [FetchSortDescriptor] = [.init("id")]
  ) throws -> (stage: Stage, list: CardfileApp.ListScreen) {
    var options = AppOptions(entityName: "people", sortDescriptors: sort)
    options.extent = .window(50)
    let store: any PersistentStore
    if onServer {
      store = try PostgreSQLStore(
        address: #require(TestServer.shared).makeDatabase(script(more: more)))
    } else {
      try DatabaseQueue.ofAnotherProgram(folder.path("people")).write {
        try $0.execute(sql: script(more: more))
      }
      store = try SQLiteStore.open(path: folder.path("people"))
    }
    let stage = try Stage("people", width: 120, options: options, opened: store)
    let list = try #require(stage.app.screen as? CardfileApp.ListScreen)
    wait(stage) { _ in list.controller.listCount?.isExact == true }
    return (stage, list)
  }

  private func wait(_ stage: Stage, for condition: (String) -> Bool) {
    stage.wait {
      stage.settle()
      stage.draw()
      let list = stage.app.screen as? CardfileApp.ListScreen
      return list?.isWorking != true && condition(stage.text)
    }
    #expect(condition(stage.text), "\(stage.text)")
  }

  private func press(_ stage: Stage, _ text: String) {
    for character in text {
      stage.type(String(character))
      wait(stage) { _ in true }
    }
  }

  private func command(_ stage: Stage, _ text: String, shows words: String) {
    stage.type(":")
    stage.paste(text)
    stage.press(.enter)
    wait(stage) { $0.contains(words) }
  }

  private func expectAllMarked(_ list: CardfileApp.ListScreen, _ count: Int) {
    #expect(list.controller.isWindowed && list.tableView.numberOfRows < 1_000)
    #expect(list.tableView.selection.count == list.tableView.numberOfRows)
    #expect(list.provider.hiddenSelection.isEmpty)
    #expect(list.selectedCount == count)
  }

  @Test(arguments: [
    [FetchSortDescriptor("id")], [FetchSortDescriptor("age")],
    [FetchSortDescriptor("age", ascending: false)],
  ])
  func `all are marked wherever the list is looked at, until Esc`(sort: [FetchSortDescriptor])
    throws
  {
    let (stage, list) = try stage(sort: sort)
    // What was marked before is among them.
    press(stage, "  *")
    expectAllMarked(list, 5_000)
    #expect(stage.status.contains("5,000 selected"))
    for keys in ["60%", "G", "g", "]", "V", "V", "S"] {
      press(stage, keys)
      expectAllMarked(list, 5_000)
    }
    press(stage, " ")
    #expect(stage.status.contains("not row by row"), "\(stage.status)")
    press(stage, "v")
    #expect(list.rangeSelection == nil && stage.status.contains("not row by row"))
    expectAllMarked(list, 5_000)
    stage.press(.escape)
    #expect(list.selectedCount == 0 && list.tableView.selection.isEmpty)
    press(stage, "G ")
    #expect(list.selectedCount == 1)
  }

  @Test func `what others write is marked too, and another filter ends the marks`() throws {
    let (stage, list) = try stage()
    press(stage, "*G")
    try DatabaseQueue.ofAnotherProgram(folder.path("people")).write {
      try $0.execute(sql: "INSERT INTO people VALUES (6000, 'new', 3)")
    }
    stage.app.follower?.foreignChange.set()
    stage.app.handle(.wake)
    // What was written outside is told first.
    wait(stage) { _ in list.controller.listCount?.count == 5_001 }
    expectAllMarked(list, 5_001)
    command(stage, "where age > 6", shows: "of 5,001")
    #expect(list.controller.isWindowed && list.selectedCount == 0)
    #expect(list.tableView.selection.isEmpty)
  }

  @Test(arguments: TestServer.shared == nil ? [false] : [false, true])
  func `all that match a filter are deleted by their number with one statement`(onServer: Bool)
    throws
  {
    let (stage, list) = try stage(onServer: onServer, sort: [.init("age"), .init("id")])
    command(stage, "where age == NULL OR age > 6", shows: "of 5,000")
    wait(stage) { $0.contains("/2,000") }
    press(stage, "*60%d")
    wait(stage) { $0.contains("Delete 2,000 objects of people that match") }
    stage.press(.escape)
    expectAllMarked(list, 2_000)
    press(stage, "d")
    wait(stage) { $0.contains("type their number: 2000") }
    stage.paste("2000")
    stage.press(.enter)
    wait(stage) { $0.contains("Deleted 2,000 objects") }
    #expect(list.selectedCount == 0 && stage.app.session.marks.isEmpty)
    command(stage, "where", shows: "3,000 objects")
    #expect(list.controller.isWindowed)
  }

  @Test func `what rules forbid to delete so is read if that is the answer, marked and unmarked`()
    throws
  {
    let (stage, list) = try stage(
      more: """
        CREATE TABLE pets (id integer PRIMARY KEY, owner integer REFERENCES people(id));
        INSERT INTO pets VALUES (1, 42);
        """)
    press(stage, "*d")
    wait(stage) { $0.contains("objects refer to each other by") }
    stage.press(.escape)
    expectAllMarked(list, 5_000)
    #expect(stage.app.session.marks.isEmpty)
    press(stage, "d")
    wait(stage) { $0.contains("objects refer to each other by") }
    press(stage, "r")
    wait(stage) { $0.contains("5,000 people marked") }
    #expect(!list.controller.isWindowed && stage.app.session.marks.elements.count == 5_000)
    press(stage, "u")
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test func `what needs each row says why, and reads all if that is the answer`() throws {
    let (stage, list) = try stage()
    press(stage, "*y")
    wait(stage) { $0.contains("holds only the rows near the cursor") }
    stage.press(.escape)
    command(stage, "set-value name = x", shows: "this needs all of them: set name")
    stage.press(.escape)
    expectAllMarked(list, 5_000)
    press(stage, "y")
    press(stage, "r")
    wait(stage) { $0.contains("5,000 rows") }
    stage.press(.escape)
    #expect(!list.controller.isWindowed && !list.provider.selectsAll)
    #expect(list.tableView.selection.count == 5_000)
    // Rows can be deselected one by one now.
    press(stage, " ")
    #expect(list.selectedCount == 4_999)
  }

  @Test func `too many to copy are not read`() throws {
    let (stage, list) = try stage(
      more: """
        WITH RECURSIVE n(i) AS (SELECT 5001 UNION ALL SELECT i + 1 FROM n WHERE i < 11000)
          INSERT INTO people SELECT i, 'p' || i, 4 FROM n;
        """)
    press(stage, "*y")
    #expect(stage.status.contains("11,000 rows are too many to copy"), "\(stage.status)")
    expectAllMarked(list, 11_000)
  }

  @Test func `a windowed list is exported as it is, and made whole for unsaved changes`() throws {
    let (stage, list) = try stage(sort: [.init("age"), .init("id", ascending: false)])
    press(stage, "60%")
    let cursor = try #require(list.cursorID)
    stage.app.exportList(to: folder.path("all.csv"), replacing: false)
    wait(stage) { $0.contains("Exported 5,000 rows") }
    #expect(list.controller.isWindowed && list.tableView.numberOfRows < 1_000)
    let all = try String(contentsOf: folder.url("all.csv"), encoding: .utf8)
    let expected = try DatabaseQueue(path: folder.path("people")).read {
      try String.fetchAll($0, sql: "SELECT name FROM people ORDER BY age, id DESC")
    }
    let lines = all.split(separator: "\r\n").dropFirst()
    #expect(lines.count == 5_000)
    #expect(zip(lines, expected).allSatisfy { $0.split(separator: ",").contains($1[...]) })
    stage.app.session.context.object(with: cursor)["name"] = "changed"
    stage.app.exportList(to: folder.path("changed.csv"), replacing: false)
    wait(stage) { $0.contains("Exported 5,000 rows") && $0.contains("changed.csv") }
    #expect(!list.controller.isWindowed && list.cursorID == cursor)
    let changed = try String(contentsOf: folder.url("changed.csv"), encoding: .utf8)
    #expect(changed.contains(",changed") || changed.contains("changed,"))
  }
}
