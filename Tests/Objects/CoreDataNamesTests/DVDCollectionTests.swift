import CoreDataNames
import TestSupport
import Testing

/// The application of a Core Data tutorial does what it does with Core Data, in memory and in a file.
struct DVDCollectionTests {
  let folder: TemporaryFolder
  let stack: CoreDataStack

  enum Kind: CaseIterable { case memory, file }

  init() throws {
    folder = try TemporaryFolder()
    stack = CoreDataStack(inMemory: true)
  }

  private func stack(_ kind: Kind) -> CoreDataStack {
    kind == .memory ? stack : CoreDataStack(url: folder.url("dvds/dvds.sqlite"))
  }

  private func screen(_ stack: CoreDataStack) -> DVDListController {
    let ada = Person.register(username: "ada", name: "Ada", in: stack.viewContext)
    let screen = DVDListController(person: ada, managedObjectContext: stack.viewContext)
    screen.viewDidLoad()
    return screen
  }

  @Test(arguments: Kind.allCases)
  func `a list follows insertions, changes, deletions and undo`(_ kind: Kind) throws {
    let stack = stack(kind)
    let screen = screen(stack)
    #expect(screen.tableView.rows == [[]])
    for title in ["Cube", "alien", "Brazil"] { screen.addDVD(title: title) }
    stack.saveContext()
    #expect(screen.tableView.rows == [["alien", "Brazil", "Cube"]])
    // That the save gives them permanent IDs is no change of theirs.
    #expect(
      screen.tableView.calls == [
        "reload", "begin", "insert [[0, 0]]", "insert [[0, 1]]", "insert [[0, 2]]", "end",
      ])

    let brazil = screen.fetchedResultsController.object(at: IndexPath(row: 1, section: 0))
    var count = screen.tableView.calls.count
    brazil.rating = 3
    stack.viewContext.processPendingChanges()
    #expect(screen.tableView.rows == [["alien", "Brazil ***", "Cube"]])
    brazil.title = "Zardoz"
    stack.saveContext()
    #expect(screen.tableView.rows == [["alien", "Cube", "Zardoz ***"]])
    #expect(
      screen.tableView.calls.dropFirst(count) == [
        "begin", "set [0, 1] Brazil ***", "end", "begin", "move [0, 1] [0, 2]", "end",
      ])

    count = screen.tableView.calls.count
    screen.deleteDVD(at: IndexPath(row: 0, section: 0))
    stack.viewContext.processPendingChanges()
    #expect(screen.tableView.rows == [["Cube", "Zardoz ***"]])
    #expect(screen.tableView.calls.dropFirst(count) == ["begin", "delete [[0, 0]]", "end"])
    stack.viewContext.undo()
    #expect(screen.tableView.rows == [["alien", "Cube", "Zardoz ***"]])
    stack.viewContext.undoManager?.redo()
    #expect(screen.tableView.rows == [["Cube", "Zardoz ***"]])
    stack.saveContext()
    #expect(DVD.count(ofOwner: "ada", in: stack.viewContext) == 2)
    #expect(!stack.viewContext.hasChanges)
  }

  @Test(arguments: Kind.allCases)
  func `a group has the name that it was given`(_ kind: Kind) throws {
    let stack = stack(kind)
    let screen = screen(stack)
    screen.addDVD(title: "Alien")
    let undoManager = try #require(stack.viewContext.undoManager)
    #expect(undoManager.canUndo)
    #expect(undoManager.undoActionName == "Add DVD")
    undoManager.undo()
    #expect(screen.tableView.rows == [[]])
    #expect(undoManager.redoActionName == "Add DVD")
  }

  @Test(arguments: Kind.allCases)
  func `a search changes what the list shows, and no delegate is called`(_ kind: Kind) throws {
    let screen = screen(stack(kind))
    for title in ["Alien", "Aliens", "Brazil"] { screen.addDVD(title: title) }
    screen.managedObjectContext.processPendingChanges()
    let count = screen.tableView.calls.count
    try screen.search("ALIEN")
    #expect(screen.tableView.rows == [["Alien", "Aliens"]])
    screen.addDVD(title: "Cube")
    screen.managedObjectContext.processPendingChanges()
    #expect(screen.tableView.rows == [["Alien", "Aliens"]])
    #expect(screen.tableView.calls.dropFirst(count) == ["reload"])
    try screen.search("")
    #expect(screen.tableView.rows == [["Alien", "Aliens", "Brazil", "Cube"]])
  }

  @Test(arguments: Kind.allCases)
  func `a person is registered once, and deleted with the DVDs`(_ kind: Kind) throws {
    let stack = stack(kind)
    let context = stack.viewContext
    let screen = screen(stack)
    #expect(Person.register(username: "ADA", in: context) === screen.person)
    _ = Person.register(username: "Bob", in: context)
    #expect(try Person.usernames(in: context) == ["Bob", "ada"])
    screen.addDVD(title: "Alien")
    stack.saveContext()
    #expect(screen.person.dvds.map(\.title) == ["Alien"])
    #expect(screen.person.value(forKeyPath: "name") as? String == "Ada")

    context.delete(screen.person)
    context.processPendingChanges()
    #expect(screen.tableView.rows == [[]])
    stack.saveContext()
    #expect(DVD.count(ofOwner: "ada", in: context) == 0)
    #expect(try Person.usernames(in: context) == ["Bob"])
  }

  @Test(arguments: Kind.allCases)
  func `dates and numbers are compared in a format`(_ kind: Kind) throws {
    let stack = stack(kind)
    let context = stack.viewContext
    let ada = Person.register(username: "ada", in: context)
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    for (index, title) in ["Alien", "Brazil", "Cube", "Dune"].enumerated() {
      let date = start.addingTimeInterval(Double(index / 2) * 86_400)
      DVD.insert(title: title, purchaseDate: date, owner: ada, in: context)
        .setValue(index, forKey: "rating")
    }
    stack.saveContext()
    let titles = try DVD.boughtLately(since: start, minimumRating: 1, in: context).map(\.title)
    #expect(titles == ["Cube", "Dune", "Brazil"])
    let later = start.addingTimeInterval(1)
    #expect(
      try DVD.boughtLately(since: later, minimumRating: 3, in: context).map(\.title) == ["Dune"])
  }

  @Test(arguments: Kind.allCases)
  func `an import in the background reaches the list`(_ kind: Kind) async throws {
    let stack = stack(kind)
    let screen = screen(stack)
    stack.saveContext()
    let count = try await stack.importTitles(["Alien", "Brazil"], forOwner: screen.person.objectID)
    #expect(count == 2)
    stack.viewContext.processPendingChanges()
    #expect(screen.tableView.rows == [["Alien", "Brazil"]])
  }

  @Test func `what was saved is in the file`() throws {
    let screen = screen(stack(.file))
    screen.addDVD(title: "Alien")
    try screen.managedObjectContext.save()
    #expect(DVD.count(ofOwner: "ada", in: stack(.file).viewContext) == 1)
  }
}
