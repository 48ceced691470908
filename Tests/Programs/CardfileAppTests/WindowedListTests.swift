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

/// What a list does that holds only the rows around what is looked at.
@MainActor @Suite struct WindowedListTests {
  /// Draws until nothing is under way and something holds.
  private static func wait(_ stage: Stage, _ list: ListScreen, for condition: () -> Bool) {
    stage.wait {
      // The store wakes the event loop.
      stage.app.handle(.wake)
      stage.settle()
      stage.draw()
      return !list.isWorking && condition()
    }
    #expect(condition(), "\(stage.lines)")
  }

  /// By a value, each of which is looked up, and by a text's first letter, for which all are read.
  @Test(arguments: [SectionKey("age", .value), SectionKey("name", .initial)])
  func `the strip has all sections, and leads to those that are not held`(key: SectionKey) throws {
    let folder = try TemporaryFolder()
    try DatabaseQueue.ofAnotherProgram(folder.path("people")).write { database in
      try database.execute(
        sql: """
          CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
            INSERT INTO people SELECT i, char(97 + i / 250) || i, nullif(10 + i / 250, 10) FROM n;
          CREATE INDEX by_age ON people(age); CREATE INDEX by_name ON people(name);
          """)
    }
    var options = AppOptions(
      entityName: "people",
      sortDescriptors: [
        FetchSortDescriptor(
          key.keyPath, comparison: key.transform == .initial ? .localized : .binary)
      ], section: .key(key))
    options.extent = .window(50)
    let stage = try Stage(
      "people", width: 100, options: options, opened: SQLiteStore.open(path: folder.path("people")))
    let list = try #require(stage.app.screen as? ListScreen)
    func wait(for condition: () -> Bool) { Self.wait(stage, list, for: condition) }
    wait { list.controller.lookedUpSections?.all.count == 20 }
    #expect(list.controller.isWindowed && list.tableView.numberOfSections < 20)
    // The last title of the strip.
    let last = stage.lines.lastIndex { $0.hasSuffix(key.keyPath == "age" ? "29" : "T") }
    stage.click(x: 99, y: try #require(last))
    wait { list.controller.targetRow != nil && list.tableView.cursor?.row == 0 }
    let context = stage.app.session.context
    #expect(context.object(with: try #require(list.cursorID))["name"] == "t4750")
    #expect(list.controller.lookedUpSections?.all.count == 20)
    stage.type("''")
    wait { list.tableView.cursorRow == 0 }
    // A section that somebody adds is looked up with the others, though none of its rows is held.
    try DatabaseQueue.ofAnotherProgram(folder.path("people")).write {
      try $0.execute(sql: "INSERT INTO people VALUES (-1, '!', -5)")
    }
    stage.app.follower?.foreignChange.set()
    wait { list.controller.lookedUpSections?.all.count == 21 }
    stage.app.end()
  }

  @Test func `an object whose saved deletion is undone counts`() throws {
    let folder = try TemporaryFolder()
    try DatabaseQueue.ofAnotherProgram(folder.path("people")).write { database in
      try database.execute(
        sql: """
          CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO people SELECT i, 'n' || i FROM n;
          """)
    }
    var options = AppOptions(
      entityName: "people", sortDescriptors: [FetchSortDescriptor("id")])
    options.extent = .window(50)
    let stage = try Stage(
      "people", options: options, opened: SQLiteStore.open(path: folder.path("people")))
    let list = try #require(stage.app.screen as? ListScreen)
    func wait(forCount count: Int) {
      Self.wait(stage, list) { list.controller.listCount ?? (0, false) == (count, true) }
    }
    wait(forCount: 500)
    stage.type("dWy")
    wait(forCount: 499)
    stage.type("u")
    wait(forCount: 500)
    stage.app.end()
  }

  @Test(.enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
  func `a long list of a server is in the order of its index, a person's own`() throws {
    let server = try #require(TestServer.shared)
    let address = try server.makeDatabase(
      """
      CREATE TABLE people (id int PRIMARY KEY, name text COLLATE "sv-x-icu", city text);
      INSERT INTO people SELECT i, (ARRAY['anna', 'Bo', 'Åsa', 'Örjan', 'Zoë'])[1 + i % 5] || i, 'c' || i
        FROM generate_series(1, 20000) i;
      CREATE INDEX ON people (name, id); ANALYZE people;
      UPDATE pg_class SET reltuples = relpages * 15000 WHERE relname = 'people';
      """)
    let options = AppOptions(
      entityName: "people",
      sortDescriptors: [FetchSortDescriptor("name", comparison: .localized)])
    let stage = try Stage("people", options: options, opened: PostgreSQLStore(address: address))
    let list = try #require(stage.app.screen as? ListScreen)
    func wait(for condition: () -> Bool) { Self.wait(stage, list, for: condition) }
    wait { stage.lines[0].contains("by name (sv-x-icu)") }
    #expect(list.controller.isWindowed)
    #expect(stage.lines.contains { $0.contains("anna") })
    stage.type("G")
    wait { stage.lines.contains { $0.contains("Örjan") } }
    stage.type("'å")
    wait { stage.lines[3].contains("Åsa10002") }
    stage.press(.escape)
    stage.type("'b")
    wait { stage.lines[3].contains("Bo1 ") }
    stage.press(.escape)
    stage.type("'q")
    wait { stage.lines.contains { $0.contains("Nothing begins with “q”") } }
    stage.press(.escape)
    // An order without an index.
    stage.type(":sort city")
    stage.press(.enter)
    wait { stage.lines[0].contains("by city (C)") }
    #expect(stage.lines.contains { $0.contains("No index for this order: sorting ≈") })
    #expect(!list.controller.isWindowed)
    stage.app.end()
  }

  /// Every second without triggers, and at once with those that `cardfile notify` prints.
  @Test(
    .enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)),
    arguments: [false, true])
  func `what others write in a server is shown in a windowed list`(notifies: Bool) throws {
    let server = try #require(TestServer.shared)
    let address = try server.makeDatabase(
      """
      CREATE TABLE people (id int PRIMARY KEY, name text, age int);
      INSERT INTO people SELECT i, 'p' || i, i % 9 FROM generate_series(1, 5000) i;
      """)
    let store = try PostgreSQLStore(address: address)
    if notifies {
      _ = try TestServer.psql(store.notifyingStatements(for: ["people"]), address)
    }
    var options = AppOptions(entityName: "people", sortDescriptors: [FetchSortDescriptor("id")])
    options.extent = .window(50)
    let stage = try Stage("people", options: options, opened: store)
    let list = try #require(stage.app.screen as? ListScreen)
    // The stage's own store tells nobody.
    let change = try #require(stage.app.follower?.foreignChange)
    let observation = store.observeForeignChanges { change.set() }
    defer { observation.cancel() }
    func wait(for condition: () -> Bool) { Self.wait(stage, list, for: condition) }
    wait { true }
    stage.type("50%")
    wait { stage.lines.contains { $0.contains("p2501") } }
    #expect(list.controller.isWindowed && list.tableView.numberOfRows < 1_000)
    let cursor = try #require(list.cursorID)
    // The watcher knows the state from which on it looks.
    usleep(1_500_000)
    let sql = [
      "UPDATE people SET name = 'renamed' WHERE id = 2501", "DELETE FROM people WHERE id = 2502",
      "INSERT INTO people VALUES (-1, 'first', 1)",
    ]
    for statement in sql { _ = try TestServer.psql(statement, address) }
    wait { stage.lines.contains { $0.contains("renamed") } }
    wait { !stage.lines.contains { $0.contains("p2502") } }
    #expect(list.cursorID == cursor)
    stage.type("g")
    wait { stage.lines.contains { $0.contains("first") } }
    stage.app.end()
    store.close()
  }
}
