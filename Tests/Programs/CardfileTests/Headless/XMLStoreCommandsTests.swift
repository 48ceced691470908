import Foundation
import TestSupport
import Testing

/// Commands on a Core Data XML store.
struct XMLStoreCommandsTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("pets.xml")
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <object type="PET" id="z101">
              <attribute name="name" type="string">Tom</attribute>
              <attribute name="age" type="int16">3</attribute>
              <relationship name="friends" type="0/0" destination="PET" idrefs="z102"></relationship>
          </object>
          <object type="PET" id="z102">
              <attribute name="name" type="string">Émile</attribute>
              <relationship name="friends" type="0/0" destination="PET" idrefs="z101"></relationship>
          </object>
      </database>
      """
    try Data(text.utf8).write(to: folder.url("pets.xml"))
  }

  private func run(_ command: String, _ arguments: String...) throws -> Program.Outcome {
    try Program.run([command, store] + arguments)
  }

  @Test func `objects are counted, found and printed`() throws {
    #expect(try run("entities").lines.last?.split(separator: " ").prefix(2) == ["PET", "2"])
    #expect(try run("count", "PET", "--where", "age > 2").output == "1\n")
    #expect(try run("count", "PET", "--where", "ANY friends.name == 'Tom'").output == "1\n")
    let rows = try run("fetch", "PET", "--sort", "name", "--format", "csv", "--columns", "name,age")
    #expect(rows.status == 0 && rows.lines == ["name,age", "Émile,", "Tom,3"], "\(rows)")
  }

  @Test func `what only a database has is refused in words, and the file stays as it is`() throws {
    let before = try Data(contentsOf: folder.url("pets.xml"))
    for command in [["check"], ["history"], ["fetch", "PET", "--explain"]] {
      let outcome = try Program.run([command[0], store] + command.dropFirst())
      #expect(outcome.status == 1 && outcome.errors.contains("no SQLite database"), "\(outcome)")
    }
    let deletion = try run("delete", "PET", "--where", "TRUEPREDICATE", "--yes")
    #expect(deletion.status == 1 && deletion.errors.contains("model is derived"), "\(deletion)")
    #expect(try Data(contentsOf: folder.url("pets.xml")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["pets.xml"])
  }

  @Test func `with a model objects are deleted, and the file is copied before`() throws {
    let model = folder.path("pets.json")
    let text = """
      {"version": 1, "entities": [{"name": "Pet", "attributes": [{"name": "name", "type": "string"},
      {"name": "age", "type": "integer16"}], "relationships": [{"name": "friends",
      "destination": "Pet", "inverse": "friends", "isToMany": true}]}]}
      """
    try Data(text.utf8).write(to: folder.url("pets.json"))
    let before = try Data(contentsOf: folder.url("pets.xml"))
    let outcome = try run("delete", "Pet", "--where", "name == 'Tom'", "--yes", "--model", model)
    #expect(outcome.status == 0 && outcome.errors.contains(".backup-"), "\(outcome)")
    let written = try String(contentsOf: folder.url("pets.xml"), encoding: .utf8)
    #expect(!written.contains("z101") && written.contains("Émile"), "\(written)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let copy = try #require(names.first { $0.contains(".backup-") })
    #expect(try Data(contentsOf: folder.url(copy)) == before)
    let rows = try run("fetch", "Pet", "--columns", "name", "--format", "csv", "--model", model)
    #expect(rows.lines == ["name", "Émile"], "\(rows)")
  }

  @Test func `it is browsed as any store is`() throws {
    let terminal = try PseudoTerminal(shell: "exec \"$CARDFILE\" '\(store)' PET")
    #expect(terminal.waitFor("About pets.xml"), "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("Émile"))
    terminal.type("\u{1B}")
    #expect(terminal.waitFor { !$0.text.contains("About") }, "\(terminal.screen.text)")
    terminal.type("d")
    #expect(terminal.waitFor("its model is derived"), "\(terminal.screen.text)")
    terminal.type("/Tom\r")
    #expect(
      terminal.waitFor { $0.text.contains("Tom") && !$0.text.contains("Émile") },
      "\(terminal.screen.text)")
    terminal.type(":q\r")
    #expect(terminal.waitForEnd() == .exit(0))
  }
}
