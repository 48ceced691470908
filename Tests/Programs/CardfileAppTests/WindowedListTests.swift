import FetchedResults
import Foundation
import GRDB
import ListProviders
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
    func wait(for condition: () -> Bool) {
      stage.wait {
        // The store wakes the event loop.
        stage.app.handle(.wake)
        stage.settle()
        stage.draw()
        return !list.isWorking && condition()
      }
      #expect(condition(), "\(stage.lines)")
    }
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
