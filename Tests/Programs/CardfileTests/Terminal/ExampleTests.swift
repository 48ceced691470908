import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// The example programs on a terminal, each as a person would try it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExampleTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// The number of objects of an entity in the store.
  private func count(_ entityName: String) throws -> Int {
    let store = try SQLiteStore.open(path: path, options: .init(isReadOnly: true))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    return try context.count(for: FetchRequest<ManagedObject>(entityName: entityName))
  }

  @Test func `TimeStamps adds, chooses, deletes and brings back events`() throws {
    let terminal = try PseudoTerminal(example: "cardfile-timestamps", path)
    #expect(terminal.waitFor("No events yet"))
    terminal.type("++")
    #expect(terminal.waitFor("1/2  50%"))
    terminal.type("\r")
    #expect(terminal.waitFor("Selected the event of"))
    terminal.type("d")
    #expect(terminal.waitFor("1/1  100%"))
    #expect(try count("Event") == 1)
    terminal.type("u")
    #expect(terminal.waitFor("2/2  100%"))
    // Another process adds one, which is shown without a key.
    let other = try PseudoTerminal(example: "cardfile-timestamps", path)
    #expect(other.waitFor("1/2  50%"))
    other.type("+")
    #expect(terminal.waitFor("3/3  100%"))
    other.type("dq")
    #expect(other.waitForEnd() == .exit(0))
    #expect(terminal.waitFor("2/2  100%"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0) && terminal.isInLineMode)
    #expect(try count("Event") == 2)
  }

  @Test func `an example keeps its store in the data folder, and says what is wrong in one line`()
    throws
  {
    let environment = ["XDG_DATA_HOME": folder.path("data")]
    let terminal = try PseudoTerminal(
      example: "cardfile-timestamps", columns: 20, rows: 5, environment: environment)
    #expect(terminal.waitFor("No events yet"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
    let file = folder.path("data/cardfile-timestamps/events.sqlite")
    #expect(FileManager.default.fileExists(atPath: file))

    try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    let refused = try PseudoTerminal(example: "cardfile-timestamps", path)
    #expect(refused.waitForEnd() == .exit(1))
    #expect(refused.screen.text.contains("cardfile-timestamps: "))
  }

  @Test func `Colors has sections, a search, and an edit mode with undo by name`() throws {
    let terminal = try PseudoTerminal(example: "cardfile-colors", path)
    #expect(terminal.waitFor("Acorn Cap"))
    #expect(terminal.screen.lines[0].hasSuffix(" 120"))
    terminal.type("'m\r\r")
    #expect(terminal.waitFor("Maple Syrup tints the first line"))
    terminal.type("d")
    #expect(terminal.waitFor("E starts editing"))
    terminal.type("Ed")
    #expect(terminal.waitFor("Delete Maple Syrup"))
    terminal.type("u")
    #expect(terminal.waitFor("undo: Delete Maple Syrup"))
    terminal.type("/zin\r")
    #expect(terminal.waitFor("Zinc Bath") && terminal.waitFor("1/1  100%"))
    terminal.type("d")
    #expect(terminal.waitFor("Delete Zinc Bath"))
    terminal.type("E")
    #expect(terminal.waitFor("Saved"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
    #expect(try count("Crayon") == 119)
  }

  @Test func `Notes sorts, colours, and finds from note to note and from match to match`() throws {
    let terminal = try PseudoTerminal(example: "cardfile-notes", path)
    #expect(terminal.waitFor("by date ↓"))
    terminal.type("s\u{1B}[B\r")
    #expect(terminal.waitFor("by title ↑"))
    terminal.type("cblue\r")
    terminal.type("fcoffee\r")
    #expect(terminal.waitFor("match 1 of"))
    terminal.type("n")
    #expect(terminal.waitFor("match 2 of"))
    terminal.type("\r")
    #expect(terminal.waitFor(" Notes › "))
    terminal.type("qq")
    #expect(terminal.waitForEnd() == .exit(0))
    #expect(try count("Note") == 38)
  }

  @Test func `DVDs registers a person, adds a DVD, edits it, and deletes with undo`() throws {
    let terminal = try PseudoTerminal(example: "cardfile-dvds", path)
    #expect(terminal.waitFor("Aneta Brzozowska"))
    terminal.type("oada\r")
    #expect(terminal.waitFor("Name of ada"))
    terminal.type("Ada Lovelace\r")
    #expect(terminal.waitFor("1/13"))
    terminal.type("Goada\r\r")
    #expect(terminal.waitFor("No DVDs yet"))
    terminal.type("oAlien\r")
    #expect(terminal.waitFor("1/1  100%"))
    terminal.type("\rje")
    #expect(terminal.waitFor("Enter accept"))
    terminal.type("\u{15}1979-09-06\r")
    #expect(terminal.waitFor("1979-09-06"))
    terminal.type("qqd")
    #expect(terminal.waitFor("u undoes it"))
    #expect(try count("DVD") == 36 && count("Person") == 12)
    terminal.type("u")
    #expect(terminal.waitFor("undo: Delete"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
    #expect(try count("DVD") == 37)
  }

  @Test func `People shows in table and grid what another context inserts and renames`() throws {
    let terminal = try PseudoTerminal(example: "cardfile-people", path)
    #expect(terminal.waitFor(" Table ") && terminal.waitFor(" Grid "))
    #expect(terminal.waitFor("/12 "))
    terminal.type(" ")
    #expect(terminal.waitFor("Stopped"))
    let before = try count("Person")
    terminal.type("\td")
    #expect(terminal.waitFor("u undoes it"))
    #expect(try count("Person") == before - 1)
    terminal.type(" ")
    #expect(terminal.waitFor("/\(before) "))
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0) && terminal.isInLineMode)
  }

  @Test func `the classes of DVDs are those that the program generates`() throws {
    let example = Repository.root.appendingPathComponent("Sources/Programs/Examples/DVDs")
    let output = folder.url("Model")
    let outcome = try Program.run(
      "generate", example.appendingPathComponent("dvds.xcdatamodel").path, "--output",
      output.path)
    #expect(outcome.status == 0)
    for name in outcome.lines where !name.contains("+Own") {
      let made = try String(contentsOf: output.appendingPathComponent(name), encoding: .utf8)
      let kept = try String(
        contentsOf: example.appendingPathComponent("Model/\(name)"), encoding: .utf8)
      #expect(made == kept, "\(name)")
    }
    #expect(outcome.lines.count == 5)
  }
}
