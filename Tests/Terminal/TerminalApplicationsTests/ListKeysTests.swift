import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit
import TestSupport
import Testing

@testable import TerminalApplications

/// What a plain list does with keys, while rows are still to come.
@MainActor @Suite struct ListKeysTests {
  @Test func `a key that acts on a row waits for the rows of the filter before it`() throws {
    let shelf = try Shelf("Dubliners", "Emma", "Ulysses")
    let stage = Stage(shelf.list)
    stage.pressAtOnce("/", "e", "m", "m", .enter, "d")
    #expect(stage.status.contains("d waits for the rows — Esc cancels"))
    #expect(try shelf.stored.count == 3)
    stage.settle()
    #expect(try shelf.stored == ["Dubliners", "Ulysses"])
  }

  /// A store that cannot save.
  private final class Shelves: AtomicStore {
    let identifier = "shelves"
    var model: ManagedObjectModel { Book.model }
    func storedRows() -> RowTable {
      let id = ObjectID(storeIdentifier: identifier, entityName: "Book", key: .integer(1))
      let count = model.entity(named: "Book")?.attributes.count ?? 0
      let values = (0..<count).map { $0 == 0 ? Value.string("Emma") : .null }
      return RowTable([RowSnapshot(id: id, version: 0, values: values)], model: model)
    }
  }

  @Test func `hints of a store that cannot save offer no change`() throws {
    func hints(of store: any PersistentStore) -> String {
      let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      let provider = TableViewProvider<Book>(display: Book.title, context: context)
      provider.saveContextAfterEditing = false
      let list = ListScreen(title: "Books", provider: provider)
      list.makeObject = { try Book.insert(into: $0) }
      return Stage(list).hints
    }
    let changes = ["new", "delete", "undo", "save"]
    let (all, none) = (hints(of: InMemoryStore(model: Book.model)), hints(of: Shelves()))
    #expect(changes.allSatisfy(all.contains), "\(all)")
    #expect(!changes.contains(where: none.contains) && none.contains("quit"), "\(none)")
  }

  @Test func `Esc drops the keys that wait`() throws {
    let shelf = try Shelf("Dubliners", "Emma")
    let stage = Stage(shelf.list)
    stage.pressAtOnce("/", "e", "m", "m", .enter, "d", .escape)
    stage.settle()
    #expect(try shelf.stored.count == 2)
  }

  @Test func `Tab completes names, and what is wrong stands under the text`() throws {
    let shelf = try Shelf("Dubliners", "Emma")
    let stage = Stage(shelf.list)
    stage.press("/")
    stage.type("pag")
    stage.press(.tab)
    #expect(stage.text.contains("/ pages"))
    stage.type(" == ")
    #expect(stage.text.contains("Emma") && stage.text.contains("^"))
    stage.type("nil")
    #expect(stage.title.contains("“pages == nil”: 2"))
    stage.press(.enter, "/", .control("u"), .up)
    #expect(stage.text.contains("/ pages == nil"))
  }

  @Test func `a pasted text is searched for`() throws {
    let shelf = try Shelf("Dubliners", "Emma")
    let stage = Stage(shelf.list)
    stage.press("/")
    stage.application.handle(.paste("emma"))
    stage.application.update()
    stage.settle()
    #expect(stage.cursorLine == "▌  Emma" && stage.title.contains("“emma”: 1"))
  }

  @Test func `letters go to a row of a sorted list, and '' returns`() throws {
    let shelf = try Shelf("Dubliners", "Emma", "Ulysses", "Voss")
    let stage = Stage(shelf.list)
    stage.press("'", "u")
    #expect(stage.cursorLine == "▌  Ulysses")
    stage.press("x")
    #expect(stage.status.contains("Nothing begins with “ux”"))
    stage.press(.escape, "'", "'")
    #expect(stage.cursorLine == "▌  Dubliners")
  }

  @Test func `the last rows are shown before the whole list is here`() throws {
    let shelf = try GatedShelf()
    shelf.gate.isOpen = true
    let stage = Stage(shelf.list)
    shelf.gate.isOpen = false
    let list = ListScreen(
      title: "Books",
      provider: TableViewProvider<Book>(
        display: Book.title, context: shelf.list.provider.managedObjectContext))
    // On a busy machine the fetch would be shown instead of the position.
    list.fetching.busyDelay = .seconds(1_000)
    let other = Stage(list)
    _ = stage
    #expect(other.cursorLine == "▌  book 000" && other.status.hasSuffix("1/…"))
    shelf.gate.letsPartsPass = true
    other.pressAtOnce("G")
    other.settle { list.controller.part == .last }
    #expect(other.cursorLine == "▌  book 399" && other.status.hasSuffix("…/…"))
    shelf.gate.isOpen = true
    other.settle()
    #expect(other.cursorLine == "▌  book 399" && other.status.hasSuffix("400/400  100%"))
  }

  @Test func `letters show the rows that begin with them before the whole list is here`() throws {
    let shelf = try GatedShelf()
    shelf.gate.isOpen = false
    shelf.list.provider.sortDescriptors = [Book.title.ascending(by: .localized)]
    let stage = Stage(shelf.list)
    shelf.gate.letsPartsPass = true
    stage.pressAtOnce("'", "b", "o", "o", "k", " ", "3", "2")
    stage.settle { stage.cursorLine == "▌  book 320" }
    #expect(stage.cursorLine == "▌  book 320")
    #expect(!shelf.list.isComplete)
    shelf.gate.isOpen = true
    stage.settle()
  }

  @Test func `Esc stops the fetch of the other rows, and R reads them`() throws {
    let shelf = try GatedShelf()
    shelf.gate.isOpen = false
    let stage = Stage(shelf.list)
    stage.pressAtOnce("%")
    #expect(stage.status.contains("waits for the whole list"))
    stage.pressAtOnce(.escape)
    #expect(stage.status.contains("Cancelled — R reads the rest") && !shelf.list.isWorking)
    shelf.gate.isOpen = true
    stage.press("R")
    #expect(stage.status.hasSuffix("1/400  0%"))
  }

  @Test func `a range is selected with v and deleted as one step`() throws {
    let shelf = try Shelf("A", "B", "C", "D")
    let stage = Stage(shelf.list)
    stage.press("j", "v", "j")
    #expect(stage.status.contains("2 selected — v ends the range"))
    stage.press("d")
    #expect(try shelf.stored == ["A", "D"])
    stage.press("u")
    #expect(try shelf.stored == ["A", "B", "C", "D"])
  }

  @Test func `what is typed is shown by a split screen too`() throws {
    let shelf = try Shelf("Dubliners", "Emma")
    let other = ListScreen(
      title: "Other",
      provider: TableViewProvider<Book>(display: Book.title, context: shelf.context))
    let stage = Stage(SplitScreen(title: "Both", shelf.list, other), width: 80)
    stage.press("/")
    stage.type("emma")
    #expect(stage.text.contains("/ emma") && stage.lines[2].hasPrefix("▌  Emma"))
    #expect(stage.lines[2].contains("Dubliners"))
    stage.press(.enter, .tab, "j")
    #expect(stage.text.contains("▌  Emma"))
  }

  @Test func `a fetch that fails leaves the rows, and says why`() throws {
    let shelf = try GatedShelf()
    shelf.list.orders = [ListOrder("title", Book.title.ascending)]
    let stage = Stage(shelf.list)
    stage.settle()
    shelf.gate.failNextFetch(StoreError(.disk, doing: "fetching books"))
    stage.press("S")
    #expect(stage.status.contains("Fetching books"))
    #expect(stage.text.contains("book 000"))
  }

  @Test(arguments: [("Link", ["address", "anything"]), ("Reading", ["day", "value"])])
  func `words are looked for in texts, or in all attributes where there are none`(
    _ entityName: String, _ names: [String]
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Link",
        attributes: [
          AttributeDescription("address", .uri), AttributeDescription("anything", .undefined),
          AttributeDescription("visits", .integer64),
        ]),
      EntityDescription(
        name: "Reading",
        attributes: [AttributeDescription("day", .date), AttributeDescription("value", .double)]),
    ])
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: InMemoryStore(model: model)))
    let list = ListScreen(
      title: entityName,
      provider: TableViewProvider<ManagedObject>(entityName: entityName, context: context))
    #expect(list.reader?.wordAttributes == names)
  }
}
