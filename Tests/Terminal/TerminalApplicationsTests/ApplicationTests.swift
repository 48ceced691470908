import ListProviders
import ManagedObjects
import TerminalApplications
import TerminalKit
import Testing

@MainActor @Suite struct ApplicationTests {
  @Test func `screens are pushed and left, and their titles are the path`() throws {
    let first = Screen(title: "First")
    let stage = Stage(first)
    first.push(TextScreen(title: "Second", text: "one\ntwo"))
    stage.application.update()
    #expect(stage.title.hasPrefix(" First › Second"))
    stage.press("q")
    #expect(stage.title.hasPrefix(" First") && !stage.title.contains("Second"))
    stage.press("q")
    #expect(stage.application.exitStatus == 0)
  }

  @Test func `the help lists the commands and runs the chosen one`() {
    let screen = Screen(title: "Screen")
    var count = 0
    screen.addKeyCommand(KeyCommand("x", section: .move, help: "count") { count += 1 })
    let stage = Stage(screen, height: 20)
    stage.press("x", "?")
    #expect(stage.text.contains("x") && stage.text.contains("count"))
    stage.press(.enter)
    #expect(count == 2)
  }

  @Test func `a later command takes the key of an earlier one`() {
    let screen = Screen(title: "Screen")
    screen.addKeyCommand(KeyCommand("x", "y", help: "first") { screen.show("first") })
    screen.addKeyCommand(KeyCommand("x", help: "second") { screen.show("second") })
    let stage = Stage(screen)
    stage.press("x")
    #expect(stage.status.contains("second"))
    stage.press("y")
    #expect(stage.status.contains("first"))
    stage.press("z")
    #expect(stage.status.contains("z does nothing here"))
  }

  @Test func `a prompt shows the error of what was entered until it is right`() {
    struct Refusal: Error, CustomStringConvertible { var description: String { "too short" } }
    let screen = Screen(title: "Screen")
    var entered = ""
    screen.addKeyCommand(
      KeyCommand("e", help: "enter") {
        screen.prompt("Name") { text in
          guard text.count > 1 else { throw Refusal() }
          entered = text
        }
      })
    let stage = Stage(screen)
    stage.press("e", "a", .enter)
    #expect(stage.text.contains("too short"))
    stage.press("b", .enter)
    #expect(entered == "ab" && !stage.text.contains("Name"))
  }

  @Test func `a prompt may lead to another one`() {
    let screen = Screen(title: "Screen")
    var entered: [String] = []
    screen.addKeyCommand(
      KeyCommand("e", help: "enter") {
        screen.prompt("First") { first in
          screen.prompt("Second") { second in entered = [first, second] }
        }
      })
    let stage = Stage(screen)
    stage.press("e", "a", .enter)
    #expect(stage.text.contains("Second") && !stage.text.contains("First"))
    stage.press("b", .enter)
    #expect(entered == ["a", "b"] && !stage.text.contains("Second"))
  }

  @Test func `a question has a key for each answer, and Esc cancels`() {
    let screen = Screen(title: "Screen")
    var answer = ""
    screen.addKeyCommand(
      KeyCommand("a", help: "ask") {
        screen.ask("Sure?", ["Really."], answers: [("y", "yes", { answer = "yes" })])
      })
    let stage = Stage(screen)
    stage.press("a", .escape)
    #expect(answer == "")
    stage.press("a", "y")
    #expect(answer == "yes" && !stage.text.contains("Sure?"))
  }

  @Test func `a timer runs when it is due, and the loop waits until then`() {
    let screen = Screen(title: "Screen")
    var count = 0
    screen.addTimer(every: .seconds(2)) { count += 1 }
    let stage = Stage(screen)
    #expect(count == 0 && stage.application.redrawDelay == 2000)
    stage.wait(.seconds(1))
    #expect(count == 0)
    stage.wait(.seconds(1))
    #expect(count == 1)
    stage.wait(.seconds(2))
    #expect(count == 2)
  }

  @Test func `the run loop ends with the status of what ended it`() {
    let events: [(InputEvent, Int32)] = [
      (.terminate, 143), (.interrupt, 130), (.hangup, 129), (.endOfInput, 0), (.key("q"), 0),
    ]
    for (event, status) in events {
      let terminal = RecordingTerminal(size: Size(width: 40, height: 8), script: [event])
      let application = Application(Screen(title: "Screen"), terminal: terminal)
      #expect(application.run() == status)
      #expect(terminal.frames.count == 1)
    }
  }

  @Test func `small screens and ASCII terminals work`() throws {
    let shelf = try Shelf("A", "B")
    let stage = Stage(shelf.list, width: 20, height: 5, isUnicode: false)
    #expect(stage.lines.count == 5 && stage.lines[1] == ">  A")
    stage.press("?")
    #expect(stage.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
    let tiny = Stage(shelf.list, width: 10, height: 3)
    #expect(tiny.text.contains("Too small"))
  }

  @Test func `a split screen shows its screens, and Tab gives one the keys`() throws {
    let shelf = try Shelf("A", "B")
    let gridView = GridView()
    gridView.cellWidth = 8
    let grid = ListScreen(
      title: "Grid",
      provider: TableViewProvider<Book>(display: Book.title, context: shelf.context),
      tableView: gridView)
    grid.addKeyCommand(KeyCommand("x", help: "") { grid.show("grid") })
    var count = 0
    grid.addTimer(every: .seconds(1)) { count += 1 }
    let split = SplitScreen(title: "Both", shelf.list, grid)
    split.addKeyCommand(KeyCommand("x", help: "") { split.show("split") })
    let stage = Stage(split)
    stage.press("x")
    #expect(stage.status.contains("split"))
    #expect(stage.title.hasPrefix(" Both"))
    #expect(stage.lines[1].contains(" Books ") && stage.lines[1].contains(" Grid "))
    stage.press("j", .tab)
    #expect(shelf.list.tableView.cursorRow == 1 && grid.tableView.cursorRow == 0)
    stage.press("l")
    #expect(grid.tableView.cursorRow == 1)
    stage.press("d")
    #expect(shelf.list.tableView.numberOfRows == 1)
    stage.wait(.seconds(1))
    #expect(count == 1)
    stage.application.handle(.mouse(MouseEvent(.press, at: Point(x: 5, y: 2))))
    stage.application.update()
    #expect(shelf.list.tableView.cursorRow == 0)
    let narrow = Stage(SplitScreen(title: "Both", shelf.list, grid), width: 40)
    #expect(!narrow.lines[1].contains("Grid"))
    narrow.press(.tab)
    #expect(narrow.lines[1].contains("Grid"))
  }

  @Test func `a text scrolls and finds from match to match`() {
    let text = (1...40).map { $0 % 10 == 0 ? "needle \($0)" : "line \($0)" }
    let stage = Stage(TextScreen(title: "Text", text: text.joined(separator: "\n")))
    stage.press("G")
    #expect(stage.text.contains("needle 40"))
    stage.press("g", "/")
    stage.type("needle")
    stage.press(.enter)
    #expect(stage.lines[1].contains("needle 10"))
    stage.press("n")
    #expect(stage.lines[1].contains("needle 20"))
    stage.press("N")
    #expect(stage.lines[1].contains("needle 10"))
  }

  @Test func `a value of an object is edited, checked and saved`() throws {
    let shelf = try Shelf("Emma")
    let book = try #require(try shelf.context.fetchOne(Book.fetchRequest()))
    let stage = Stage(ObjectScreen(title: "Book", object: book))
    #expect(stage.text.contains("title") && stage.text.contains("Emma"))
    stage.press("j", "e", "x", .enter)
    #expect(stage.text.contains("pages needs a whole number"))
    stage.press(.backspace, "9", .enter)
    #expect(book[Book.pages] == 9 && !book.hasChanges)
    stage.press("k", "e", .control("u"), .enter)
    #expect(stage.text.contains("title"))
    #expect(try shelf.stored.count == 1)
  }
}
