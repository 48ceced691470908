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

/// What a person says that the columns of a plain database are.
@MainActor @Suite struct ColumnKindTests {
  private let folder: TemporaryFolder
  private let keeper = MemoryKeeper()
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("history.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE visit(id INTEGER PRIMARY KEY, title TEXT, at_time INTEGER, size INTEGER);
          INSERT INTO visit VALUES (1, 'a', 770000000, 738000000), (2, 'b', 531955414, 5);
          """)
    }
    try queue.close()
  }

  private func stage() throws -> Stage {
    var options = SQLiteStore.Options()
    options.columnKinds = keeper.state.kinds
    var program = ProgramServices()
    program.open = { [keeper] path, _, kinds in
      var options = SQLiteStore.Options()
      options.columnKinds = keeper.state.kinds.merging(kinds) { $1 }
      let store = try SQLiteStore.open(path: path, options: options)
      return StoreAccess(PersistentStoreCoordinator(store: store), keeper: keeper)
    }
    return try Stage(
      "visit", opened: try SQLiteStore.open(path: path, options: options), keeper: keeper,
      program: program)
  }

  private func run(_ command: String, in stage: Stage) {
    stage.type(":\(command)")
    stage.press(.enter)
  }

  @Test func `a column is read as what was typed, at once and in the next run`() throws {
    let stage = try stage()
    #expect(!stage.lines.joined().contains("2024-05-21"))
    run("type size = date2001", in: stage)
    #expect(stage.lines.joined().contains("2024-05-21"), "\(stage.lines)")
    #expect(keeper.state.columnKinds == ["visit.size": "date2001"])
    run("where size > 2020-01-01", in: stage)
    #expect(stage.lines.joined(separator: "\n").contains("1 of 2"), "\(stage.lines)")
    let next = try self.stage()
    #expect(next.lines.joined().contains("2024-05-21"))
    run("type size = auto", in: next)
    #expect(!next.lines.joined().contains("2024-05-21"))
    #expect(keeper.state.columnKinds == nil)
  }

  @Test func `the menu shows a value as each kind`() throws {
    let stage = try stage()
    run("type size", in: stage)
    let picture = stage.lines.joined(separator: "\n")
    #expect(picture.contains("2024-05-21 16:00:00, seconds since 2001"), "\(picture)")
    #expect(picture.contains("1993-05-21"))
    stage.press(.escape)
    stage.type("c")
    stage.type("/size")
    stage.press(.enter)
    stage.type("t")
    #expect(stage.lines.joined().contains("What size is"), "\(stage.lines)")
  }

  @Test func `unknown columns and kinds are named, and unsaved changes are kept`() throws {
    let stage = try stage()
    for (command, words) in [
      ("type siez=number", "size"), ("type size=date201", "date2001"),
      ("type size=date9", "no kind"),
    ] {
      run(command, in: stage)
      #expect(stage.lines.joined(separator: "\n").contains(words), "\(stage.lines)")
      stage.press(.escape)
    }
    stage.app.change("change") { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "visit"))[0].setValue(
        "c", forKey: "title")
    }
    run("type size=date2001", in: stage)
    #expect(stage.lines.joined(separator: "\n").contains("unsaved changes"))
    #expect(stage.app.session.hasUnsavedChanges)
  }

  @Test func `a store with a model keeps its types`() throws {
    let stage = try Stage()
    run("type born=number", in: stage)
    #expect(stage.lines.joined(separator: "\n").contains("keeps the type"), "\(stage.lines)")
  }
}
