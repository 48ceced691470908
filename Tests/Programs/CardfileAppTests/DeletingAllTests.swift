import FetchedResults
import Foundation
import GRDB
import ObjectModel
import PostgreSQLStore
import SQLiteStore
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp
@testable import TerminalApplications

/// All objects of a list are deleted with one statement, after their number has been typed.
@MainActor @Suite struct DeletingAllTests {
  private static let script = """
    CREATE TABLE people (id integer PRIMARY KEY, name text, age integer);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO people SELECT i, 'p' || i, i % 10 FROM n;
    CREATE TABLE teams (id integer PRIMARY KEY, name text);
    CREATE TABLE players (id integer PRIMARY KEY, team_id integer REFERENCES teams(id));
    INSERT INTO teams VALUES (1, 'reds');
    INSERT INTO players VALUES (1, 1);
    """

  private func opened(onServer: Bool, _ folder: TemporaryFolder) throws -> (
    store: any PersistentStore, run: (String) throws -> String
  ) {
    if onServer {
      let address = try #require(TestServer.shared).makeDatabase(Self.script)
      return (try PostgreSQLStore(address: address), { try TestServer.psql($0, address) })
    }
    let queue = try DatabaseQueue.ofAnotherProgram(folder.path("people"))
    try queue.write { try $0.execute(sql: Self.script) }
    return (
      try SQLiteStore.open(path: folder.path("people")),
      { sql in
        try queue.write { database in
          let value = try Int.fetchOne(database, sql: sql)
          return value.map(String.init) ?? ""
        }
      }
    )
  }

  private func command(_ stage: Stage, _ text: String, shows words: String) {
    stage.type(":")
    stage.paste(text)
    stage.press(.enter)
    wait(stage, words)
  }

  private func wait(_ stage: Stage, _ words: String) {
    stage.wait {
      stage.settle()
      stage.draw()
      return stage.lines.contains { $0.contains(words) }
    }
    #expect(stage.lines.contains { $0.contains(words) }, "\(words): \(stage.lines)")
  }

  @Test(arguments: TestServer.shared == nil ? [false] : [false, true])
  func `all that match are deleted by their number, and only then`(onServer: Bool) throws {
    let folder = try TemporaryFolder()
    let (store, run) = try opened(onServer: onServer, folder)
    var options = AppOptions(entityName: "people", sortDescriptors: [FetchSortDescriptor("id")])
    options.extent = .window(50)
    let stage = try Stage("people", width: 120, options: options, opened: store)
    command(stage, "where age > 6", shows: "1/900")
    command(stage, "delete-all", shows: "Delete 900 objects of people that match age > 6")
    stage.paste("899")
    stage.press(.enter)
    wait(stage, "it is 900")
    #expect(try run("SELECT count(*) FROM people") == "3000")
    // Somebody adds another one meanwhile: nothing is deleted.
    _ = try run("INSERT INTO people VALUES (4000, 'new', 9)")
    stage.press(.backspace, .backspace, .backspace)
    stage.paste("900")
    stage.press(.enter)
    wait(stage, "901 objects match now and not 900")
    #expect(try run("SELECT count(*) FROM people") == "3001")
    command(stage, "delete-all", shows: "Delete 901 objects")
    stage.paste("901")
    stage.press(.enter)
    wait(stage, "Deleted 901 objects")
    #expect(try run("SELECT count(*) FROM people") == "2100")
    #expect(try run("SELECT count(*) FROM people WHERE age > 6") == "0")
    command(stage, "where", shows: "2,100 objects")
    stage.app.end()
  }

  @Test(arguments: TestServer.shared == nil ? [false] : [false, true])
  func `what others refer to is not deleted so`(onServer: Bool) throws {
    let folder = try TemporaryFolder()
    let (store, run) = try opened(onServer: onServer, folder)
    let stage = try Stage(
      "teams", width: 120, options: AppOptions(entityName: "teams"), opened: store)
    command(stage, "delete-all", shows: "objects refer to each other")
    #expect(try run("SELECT count(*) FROM teams") == "1")
    stage.app.end()
  }
}
