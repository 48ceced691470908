import ListProviders
import ManagedObjects
import ObjectModel
import PersistentContainers
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@MainActor @Suite struct ListScreenTests {
  @Test func `a list has a title, rows, a position and the keys to begin with`() throws {
    let shelf = try Shelf("Emma", "Dubliners")
    let stage = Stage(shelf.list)
    #expect(stage.title.hasPrefix(" Books") && stage.title.hasSuffix(" 2"))
    #expect(stage.cursorLine == "▌  Dubliners")
    #expect(stage.status.hasSuffix("1/2  50%"))
    #expect(stage.hints.contains("⏎ open") && stage.hints.contains("? help"))
    stage.press("j")
    #expect(stage.cursorLine == "▌  Emma")
  }

  @Test func `deleting saves at once, and undo saves what it brings back`() throws {
    let shelf = try Shelf("Dubliners", "Emma")
    let stage = Stage(shelf.list)
    stage.press("d")
    #expect(try shelf.stored == ["Emma"])
    #expect(stage.status.contains("u undoes it"))
    stage.press("u")
    #expect(try shelf.stored == ["Dubliners", "Emma"])
    stage.press(.control("r"))
    #expect(try shelf.stored == ["Emma"])
    stage.press("u", "u")
    #expect(stage.status.contains("Nothing to undo"))
  }

  @Test func `a number or a selection deletes several rows as one step`() throws {
    let shelf = try Shelf("A", "B", "C", "D")
    let stage = Stage(shelf.list)
    stage.press("2", "d")
    #expect(try shelf.stored == ["C", "D"])
    stage.press("u")
    #expect(try shelf.stored == ["A", "B", "C", "D"])
    stage.press("g", " ", "j", " ", "d")
    #expect(try shelf.stored == ["B", "D"])
  }

  @Test func `a row that the delegate protects is not deleted`() throws {
    final class Guard: TableViewProviderDelegate {
      func provider(_ provider: TableViewProvider<Book>, canEditRowFor book: Book) -> Bool {
        false
      }
    }
    let shelf = try Shelf("A")
    let delegate = Guard()
    shelf.list.provider.delegate = delegate
    let stage = Stage(shelf.list)
    stage.press("d")
    #expect(try shelf.stored == ["A"])
    #expect(stage.status.contains("cannot be deleted"))
  }

  @Test func `a list without automatic saves is saved by W, and quitting asks`() throws {
    let shelf = try Shelf("A", "B", saves: false)
    let stage = Stage(shelf.list)
    stage.press("d")
    #expect(try shelf.stored == ["A", "B"])
    stage.press("j")
    #expect(stage.status.hasSuffix("D1   1/1  100%"))
    stage.press("q")
    #expect(stage.text.contains("Quit?"))
    stage.press(.escape, "W")
    #expect(stage.status.contains("Saved: 1 deleted"))
    #expect(try shelf.stored == ["B"])
    stage.press("q")
    #expect(stage.application.exitStatus == 0)
  }

  @Test func `a new object is saved, and the cursor goes to it`() throws {
    let shelf = try Shelf("A", "C")
    let stage = Stage(shelf.list)
    stage.press("o")
    #expect(stage.status.contains("does nothing here"))
    shelf.list.makeObject = { context in
      let book = try Book.insert(into: context)
      book[Book.title] = "B"
      return book
    }
    stage.press("+")
    #expect(try shelf.stored == ["A", "B", "C"])
    #expect(stage.cursorLine == "▌  B")
  }

  @Test func `a change that fails leaves nothing, and the steps before it can be undone`() throws {
    struct Refusal: Error {}
    let shelf = try Shelf("A")
    let (list, stage) = (shelf.list, Stage(shelf.list))
    let book = try #require(list.provider.cursorObject)
    try list.change("Rename A") { book[Book.title] = "B" }
    #expect(throws: Refusal.self) {
      try list.change {
        book[Book.title] = "C"
        throw Refusal()
      }
    }
    #expect(throws: Refusal.self) { try list.change("Nothing") { throw Refusal() } }
    // A title is required, so that it cannot be saved.
    #expect(throws: (any Error).self) {
      try list.change { _ = try Book.insert(into: shelf.context) }
    }
    try list.change("Nothing") {}
    #expect(try shelf.stored == ["B"] && !shelf.context.hasChanges)
    stage.press("u")
    #expect(stage.status.contains("undo: Rename A"))
    #expect(try shelf.stored == ["A"])
  }

  @Test func `an undo that cannot be saved is reversed, and other changes are saved`() throws {
    let folder = try TemporaryFolder()
    let container = try PersistentContainer(
      path: folder.path("books.sqlite"), model: Book.model)
    let shelf = try Shelf("A", "B", in: container)
    let stage = Stage(shelf.list)
    stage.press("d")
    let other = container.newBackgroundContext()
    try Book.insert(into: other)[Book.title] = "A"
    try other.save()
    stage.press("u")
    #expect(!shelf.context.hasChanges && !stage.status.contains("undo:"))
    #expect(try shelf.stored == ["A", "B"])
    stage.press("G", "d")
    #expect(try shelf.stored == ["A"])
  }

  @Test func `a search hides what does not match, and Esc returns`() throws {
    let shelf = try Shelf("Dubliners", "Emma", "Émile")
    let stage = Stage(shelf.list)
    stage.press("j", "/")
    stage.type("emi")
    #expect(stage.cursorLine == "▌  Émile")
    #expect(stage.title.contains("“emi”: 1"))
    stage.press(.escape)
    #expect(stage.cursorLine == "▌  Emma" && stage.title.hasSuffix(" 3"))
    stage.press("/")
    stage.type("zzz")
    #expect(stage.title.contains("nothing matches") && stage.text.contains("Emma"))
    stage.press(.enter)
    #expect(stage.text.contains("Nothing matches “zzz”"))
    stage.press(.escape)
    #expect(stage.title.hasSuffix(" 3"))
  }

  @Test func `n and N go from match to match around the ends`() throws {
    let shelf = try Shelf("a1", "b", "a2", "c", "a3")
    let stage = Stage(shelf.list)
    stage.press("n")
    #expect(stage.status.contains("f finds"))
    stage.press("f", "a", .enter)
    #expect(stage.cursorLine == "▌  a2" && stage.status.contains("match 2 of 3"))
    stage.press("n", "n")
    #expect(stage.cursorLine == "▌  a1" && stage.status.contains("from the top again"))
    stage.press("N")
    #expect(stage.cursorLine == "▌  a3" && stage.status.contains("from the end again"))
    stage.press("f", "z", .enter)
    #expect(stage.status.contains("No row matches “z”"))
  }

  @Test func `the tint colours the first line`() throws {
    let shelf = try Shelf("A")
    shelf.list.tintColor = Color(hex: "#F0A830")
    let stage = Stage(shelf.list)
    let style = stage.terminal.screen?[0, 0].style
    #expect(style?.background == Color(hex: "#F0A830")?.degraded(to: .palette))
    #expect(style?.foreground != .standard)
  }

  @Test func `s offers the orders, S reverses`() throws {
    let shelf = try Shelf("A", "B")
    shelf.list.orders = [
      ListOrder("title", Book.title.ascending),
      ListOrder(
        "initial", Book.title.ascending, Book.pages.ascending,
        sectionKey: SectionKey("title", .initial)),
    ]
    let stage = Stage(shelf.list)
    stage.press("s", .enter)
    #expect(stage.title.contains("by title ↑"))
    stage.press("S")
    #expect(stage.title.contains("by title ↓") && stage.lines[1].contains("B"))
    stage.press("s", .down, .enter)
    #expect(stage.lines[1].contains("─ A ─"))
    stage.press("'", "b")
    #expect(stage.cursorLine.contains("B") && stage.status.contains("' b_   2 sections"))
  }

  @Test func `of a long list the first rows come first, and a jump has all of them`() throws {
    let shelf = try Shelf("0000")
    for number in 1..<2000 {
      let text = String(number)
      try Book.insert(into: shelf.context)[Book.title] =
        String(repeating: "0", count: 4 - text.count) + text
    }
    try shelf.context.save()
    let stage = Stage(shelf.list)
    #expect(stage.lines[1] == "▌  0000" && stage.title.hasSuffix(" 200 …"))
    stage.press("1", "2", "0", "0", "G")
    #expect(stage.cursorLine == "▌  1199" && stage.title.hasSuffix(" 2,000"))
    let other = Stage(
      ListScreen(
        title: "Books",
        provider: TableViewProvider<Book>(display: Book.title, context: shelf.context)))
    other.press("f")
    other.type("1999")
    other.press(.enter)
    #expect(other.cursorLine == "▌  1999")
    other.press("g")
    #expect(other.cursorLine == "▌  0000")
  }

  @Test func `with an edit mode rows are changed only in it`() throws {
    let shelf = try Shelf("A", "B")
    shelf.list.hasEditMode = true
    let stage = Stage(shelf.list)
    stage.press("d")
    #expect(stage.status.contains("E starts editing"))
    stage.press("E")
    #expect(stage.title.contains("editing"))
    stage.press("d", "E")
    #expect(try shelf.stored == ["B"])
    #expect(!stage.title.contains("editing"))
  }

  @Test func `what another context saves is shown at the next wake`() throws {
    let shelf = try Shelf("A")
    let stage = Stage(shelf.list)
    let other = shelf.container.newBackgroundContext()
    try Book.insert(into: other)[Book.title] = "B"
    try other.save()
    #expect(stage.terminal.nextEvent(timeoutMilliseconds: 0) == .wake)
    stage.application.handle(.wake)
    stage.application.update()
    #expect(stage.lines[2] == "   B")
  }
}
