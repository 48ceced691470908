import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The list of the program, built on its own; TerminalApplications has a generic one.
typealias ListScreen = CardfileApp.ListScreen

/// The application on a recording terminal, driven step by step.
@MainActor
final class Stage {
  let app: App
  let store: InMemoryStore
  let gate: InstrumentedStore
  let terminal: RecordingTerminal
  private var size: Size { terminal.size }
  /// The end of the year of the pictures.
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  init(
    _ entityName: String? = "Person", width: Int = 80, height: Int = 24,
    options: AppOptions = AppOptions(), store: InMemoryStore? = nil,
    opened: (any PersistentStore)? = nil,
    services: StoreServices = StoreServices(), keeper: (any StateKeeping)? = nil,
    program: ProgramServices = ProgramServices(), opensStore: Bool = true,
    capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette),
    summary: @escaping @Sendable (inout StoreSummary) -> Void = { _ in }
  ) throws {
    let store = try store ?? Contacts.store()
    var options = options
    options.entityName = options.entityName ?? entityName
    terminal = RecordingTerminal(
      size: Size(width: width, height: height), capabilities: capabilities)
    self.store = store
    gate = InstrumentedStore(
      opened ?? store, progressWhileHeld: (completed: 412_000, total: 1_000_000), describe: summary)
    app = App(
      terminal: terminal,
      store: opensStore
        ? StoreAccess(
          PersistentStoreCoordinator(store: gate), services: services, keeper: keeper) : nil,
      options: options, program: program, date: { Self.now })
    app.start()
    settle()
    draw()
  }

  /// A stage with a list of 300 tags whose first rows are here; the rest waits behind the gate.
  static func partialList() throws -> Stage {
    let stage = try Stage("Person", store: try Contacts.store(tagCount: 300))
    stage.gate.isOpen = false
    let entity = try #require(Contacts.model.entity(named: "Tag"))
    stage.app.push(ListScreen(entity, options: AppOptions(), session: stage.app.session))
    stage.draw()
    return stage
  }

  isolated deinit { app.end() }

  // MARK: Acting

  /// Types characters, one key each, and waits until nothing is under way.
  func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// Presses keys and waits until nothing is under way.
  func press(_ keys: Key...) {
    for key in keys {
      app.handle(.key(key))
      app.screen?.catchUp()
      settle()
      draw()
    }
  }

  /// Presses keys that all come before the screen is drawn again.
  func pressAtOnce(_ keys: [Key]) {
    for key in keys { app.handle(.key(key)) }
    app.screen?.catchUp()
    settle()
    draw()
  }

  func click(x: Int, y: Int, _ kind: MouseEvent.Kind = .press) {
    draw()
    app.handle(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))
    settle()
  }

  func paste(_ text: String) {
    app.handle(.paste(text))
    app.screen?.catchUp()
    settle()
  }

  func resize(width: Int, height: Int) {
    terminal.size = Size(width: width, height: height)
  }

  /// Whether a part of a list is on its way that the gate lets pass.
  private var awaitsPart: Bool {
    gate.letsPartsPass
      && app.screens.contains { ($0 as? ListScreen)?.fetching.isPartAwaited == true }
  }

  /// Whether work in the background is under way on any screen.
  private var isWorking: Bool {
    app.screens.contains { ($0 as? BrowserScreen)?.isWorking == true }
  }

  /// Lets work in the background come to its end, with its results shown.
  func settle(sourceLocation: SourceLocation = #_sourceLocation) {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      if terminal.waker.acknowledge() { app.handle(.wake) }
      guard isWorking, gate.isOpen || awaitsPart else { break }
      guard ContinuousClock.now < deadline else {
        Issue.record("Work in the background does not end.", sourceLocation: sourceLocation)
        return
      }
      usleep(200)
    }
    if terminal.waker.acknowledge() { app.handle(.wake) }
  }

  /// Changes the store as another process would, and lets the application see it.
  func changeOutside(_ change: (ManagedObjectContext) throws -> Void) throws {
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try change(context)
    try context.save()
    app.follower?.foreignChange.set()
    app.handle(.wake)
    settle()
  }

  /// Waits until something holds.
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
  ) {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
      guard ContinuousClock.now < deadline else {
        Issue.record("What was waited for does not come.", sourceLocation: sourceLocation)
        return
      }
      usleep(1000)
    }
  }

  // MARK: Looking

  /// The texts that were copied, oldest first.
  var copies: [String] { terminal.copies }

  @discardableResult
  func draw() -> Canvas { picture().canvas }

  /// What is drawn, and the position of the hardware cursor.
  func picture() -> (canvas: Canvas, cursor: Point?) { app.work { app.picture(size) } }

  /// The lines of the screen.
  var lines: [String] { draw().lines }
  var text: String { draw().text }
  var title: String { lines.first ?? "" }
  var status: String { lines.dropLast().last ?? "" }
  /// The line that the cursor stands on.
  var cursorLine: String { lines.first { $0.hasPrefix("▌") || $0.hasPrefix(">") } ?? "" }

  /// The IDs of an entity's objects in the store.
  func keys(of entityName: String) -> Set<ObjectID> {
    Set(store.contents.keys.filter { $0.entityName == entityName })
  }

  /// The ID of a person.
  func person(_ name: String) -> ObjectID? {
    store.contents.first { id, row in
      id.entityName == "Person" && row.values.first == .string(name)
    }?.key
  }
}

extension Stage {
  /// Waits until the status line has a text.
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) {
      settle()
      return status.contains(text)
    }
  }

  /// Moves the cursor of an object's page to a property.
  func move(to property: String, sourceLocation: SourceLocation = #_sourceLocation) {
    press(.home)
    for _ in 0..<60 {
      let words = cursorLine.dropFirst().split { $0 == " " }
      if words.first.map(String.init) == property { return }
      press(.down)
    }
    Issue.record("There is no \(property) on the page.", sourceLocation: sourceLocation)
  }
}
