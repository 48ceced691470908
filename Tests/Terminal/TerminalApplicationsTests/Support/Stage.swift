import Foundation
import ListProviders
import ManagedObjects
import ObjectModel
import PersistentContainers
import TerminalKit
import TestSupport
import Testing

@testable import TerminalApplications

final class Book: ManagedObject, EntityClass {
  static let entityName = "Book"
  static let title = AttributeKey<Book, String>("title")
  static let pages = AttributeKey<Book, Int64?>("pages")

  static let model = ManagedObjectModel {
    Entity("Book") {
      Attribute("title", .string, isOptional: false)
      Attribute("pages", .integer64)
      Unique("title")
    }
  }
}

/// An application on a recording terminal, driven step by step.
@MainActor
final class Stage {
  let terminal: RecordingTerminal
  let application: Application
  /// The time of the application.
  private(set) var time = Time()

  final class Time {
    var now = ContinuousClock.now
  }

  init(_ screen: Screen, width: Int = 60, height: Int = 12, isUnicode: Bool = true) {
    terminal = RecordingTerminal(
      size: Size(width: width, height: height),
      capabilities: TerminalCapabilities(colorSupport: .palette, isUnicode: isUnicode))
    let time = time
    application = Application(screen, terminal: terminal) { time.now }
    application.update()
  }

  /// Presses keys, with what they begin in the background, and a drawing after each.
  func press(_ keys: Key...) {
    for key in keys {
      application.handle(.key(key))
      application.screen?.catchUp()
      settle()
      application.update()
    }
  }

  /// Presses keys that all come before a result of the background, and draws.
  func pressAtOnce(_ keys: Key...) {
    for key in keys { application.handle(.key(key)) }
    application.update()
  }

  /// Waits until something holds, while results of the background are taken and drawn.
  func settle(
    until condition: () -> Bool = { false }, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      if terminal.waker.acknowledge() {
        application.handle(.wake)
        application.update()
      }
      if condition() || !isWorking { break }
      guard ContinuousClock.now < deadline else {
        Issue.record("Work in the background does not end.", sourceLocation: sourceLocation)
        return
      }
      usleep(200)
    }
    if terminal.waker.acknowledge() { application.handle(.wake) }
    application.update()
  }

  private var isWorking: Bool {
    application.screens.flatMap(\.withChildren)
      .contains { ($0 as? ListScreen<Book>)?.isWorking == true }
  }

  /// Types a text, a key each.
  func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// Lets the clock go on.
  func wait(_ duration: Duration) {
    time.now += duration
    application.update()
  }

  var lines: [String] { terminal.screen?.lines ?? [] }
  var text: String { lines.joined(separator: "\n") }
  var title: String { lines.first ?? "" }
  var status: String { lines.dropLast().last ?? "" }
  var hints: String { lines.last ?? "" }
  /// The line that the cursor stands on.
  var cursorLine: String { lines.first { $0.hasPrefix("▌") } ?? "" }
}

/// A list of books in a store in memory.
@MainActor
struct Shelf {
  let container: PersistentContainer
  let list: ListScreen<Book>
  var context: ManagedObjectContext { container.viewContext }

  init(
    _ titles: String..., saves: Bool = true,
    in container: PersistentContainer = PersistentContainer(inMemory: Book.model)
  ) throws {
    self.container = container
    for title in titles { try Book.insert(into: container.viewContext)[Book.title] = title }
    try container.viewContext.save()
    container.viewContext.undoHistory.removeAllActions()
    let provider = TableViewProvider<Book>(display: Book.title, context: container.viewContext)
    provider.saveContextAfterEditing = saves
    list = ListScreen(title: "Books", provider: provider)
  }

  /// The titles in the store.
  var stored: [String] {
    get throws {
      let context = ManagedObjectContext(coordinator: container.persistentStoreCoordinator)
      return try Book.objects(sortedBy: [Book.title.ascending], in: context)
        .map { $0[Book.title] }
    }
  }
}

/// A list of 400 books, `book 000` to `book 399`, in a store whose fetches wait at a gate.
@MainActor
struct GatedShelf {
  let gate: InstrumentedStore
  let list: ListScreen<Book>

  init() throws {
    gate = InstrumentedStore(InMemoryStore(model: Book.model))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: gate))
    for number in 1000..<1400 {
      try Book.insert(into: context)[Book.title] = "book \(String(number).dropFirst())"
    }
    try context.save()
    list = ListScreen(
      title: "Books", provider: TableViewProvider<Book>(display: Book.title, context: context))
  }
}
