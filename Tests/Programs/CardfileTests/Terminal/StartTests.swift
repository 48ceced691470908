import Foundation
import TestSupport
import Testing

/// Choosing a store, opening another one, and opening a replaced one anew.
@Suite(.serialized, .hangs(afterMinutes: 2))
struct StartTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("here"), withIntermediateDirectories: true)
    _ = try folder.database("here/people.sqlite", Database.people)
    _ = try folder.database("here/odd name.db", "CREATE TABLE thing(id INTEGER PRIMARY KEY, name)")
    try Data("SQLite format 3".utf8).write(to: folder.url("here/short.sqlite"))
    try Data("no database".utf8).write(to: folder.url("here/notes.sqlite"))
  }

  private func open(_ arguments: String = "") throws -> PseudoTerminal {
    try PseudoTerminal(
      shell: """
        export XDG_STATE_HOME='\(folder.path("state"))'
        cd '\(folder.path("here"))' && exec "$CARDFILE" \(arguments)
        """)
  }

  @Test func `without a store the databases of the folder are offered, later those opened before`()
    throws
  {
    let first = try open()
    #expect(first.waitFor("people.sqlite"), "\(first.screen.text)")
    #expect(first.screen.text.contains("In this folder"))
    #expect(first.screen.text.contains("odd name.db"))
    #expect(!first.screen.text.contains("short.sqlite"), "known by their first bytes")
    #expect(!first.screen.text.contains("notes.sqlite"))
    first.type("j\r")
    #expect(first.waitFor("person"), "\(first.screen.text)")
    first.type("q")
    #expect(first.waitForEnd() == .exit(0))
    let second = try open()
    #expect(second.waitFor("Opened before"), "\(second.screen.text)")
    #expect(
      second.waitFor { $0.lines[3].contains("people.sqlite") }, "\(second.screen.text)")
    second.type("q")
    #expect(second.waitForEnd() == .exit(0))
  }

  @Test func `:open completes a path, opens it in place, and says what is wrong with another`()
    throws
  {
    let terminal = try open("people.sqlite person")
    #expect(terminal.waitFor("Ana"))
    terminal.type(":open no\t\r")
    #expect(terminal.waitFor("is not an SQLite database"), "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("^^^"))
    terminal.type("\u{15}open od\t\r")
    #expect(terminal.waitFor { $0.lines[0].contains("odd name.db › thing") })
    terminal.type(":open\r")
    #expect(terminal.waitFor("Opened before"))
    terminal.type("q")
    #expect(terminal.waitFor { $0.lines[0].contains("odd name.db › thing") })
  }

  @Test func `unsaved changes are asked about before another store is opened`() throws {
    let terminal = try open("people.sqlite pet")
    #expect(terminal.waitFor("Rex"))
    terminal.type("d:open odd name.db\r")
    #expect(terminal.waitFor("There are unsaved changes: D1"), "\(terminal.screen.text)")
    #expect(terminal.type("n") { !$0.text.contains("There are unsaved") })
    #expect(terminal.screen.lines[0].contains("pet"))
    terminal.type(":open odd name.db\r")
    #expect(terminal.waitFor("There are unsaved changes"))
    #expect(terminal.type("d") { $0.lines[0].contains("thing") }, "\(terminal.screen.text)")
    #expect(
      try Database.strings(folder.path("here/people.sqlite"), "SELECT name FROM pet").count == 3)
  }

  @Test func `R opens a replaced file anew on the same screen and object`() throws {
    let terminal = try open("people.sqlite person --sort name")
    #expect(terminal.waitFor("Ana"))
    terminal.type("jj")
    #expect(terminal.waitFor { $0.text.contains("▌  Émile") || $0.text.contains(">  Émile") })
    _ = try folder.database(
      "new.sqlite",
      Database.people + "UPDATE person SET name = 'Amanda' WHERE id = 1; DROP TABLE invoice;")
    #expect(
      rename(folder.path("new.sqlite"), folder.path("here/people.sqlite")) == 0)
    #expect(terminal.waitFor("file replaced"), "\(terminal.screen.text)")
    terminal.type("R")
    #expect(terminal.waitFor("Amanda"), "\(terminal.screen.text)")
    #expect(terminal.waitFor { $0.lines[$0.cursor.y].contains("Émile") }, "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("live"))
  }

  @Test func `R finds tables and columns that another program added`() throws {
    let terminal = try open("people.sqlite")
    #expect(terminal.waitFor("person"))
    try Database.write(
      folder.path("here/people.sqlite"),
      "CREATE TABLE extra(id INTEGER PRIMARY KEY, note TEXT); INSERT INTO extra VALUES (1, 'x')")
    #expect(terminal.type("R") { $0.text.contains("extra") }, "\(terminal.screen.text)")
  }
}
