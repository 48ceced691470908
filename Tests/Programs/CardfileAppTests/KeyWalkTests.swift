import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// Walks through every key of every screen, from the tables that bind them.
@MainActor @Suite struct KeyWalkTests {
  /// A key of a screen's table.
  struct Step: CustomTestStringConvertible, Sendable {
    let table: String
    let key: Key
    let action: Action

    var testDescription: String { "\(table) \(key) \(action)" }
  }

  static let steps = KeyTable.all.flatMap { table in
    table.entries.flatMap { entry in
      entry.bindings.map { Step(table: table.name, key: $0.key, action: $0.action) }
    }
  }

  @Test func `a table binds each key once`() {
    for table in KeyTable.all {
      let keys = table.entries.flatMap(\.bindings).map(\.key)
      #expect(Set(keys).count == keys.count, "\(table.name)")
    }
  }

  static let tableNames = KeyTable.all.map(\.name)

  /// The application on the screen that has a key table, with the cursor in its middle.
  static func stage(_ table: String) throws -> Stage {
    var services = StoreServices()
    services.row = { id in
      TableRow(table: id.entityName, columns: [TableRow.Column(name: "id", value: .integer(1))])
    }
    // All of an object's page is on the screen.
    let stage = try Stage(
      nil, width: 100, height: 60, services: services, program: program,
      opensStore: table != KeyTable.start.name)
    switch table {
    case "stores": stage.type("8G")
    case "value":
      stage.app.push(
        ViewerScreen(.text(tree), path: ["notes"], session: stage.app.session))
      stage.type("8j")
    case "choice":
      let people = try #require(Contacts.model.entity(named: "Person"))
      stage.app.push(
        ListScreen(
          people, choosing: Choosing(takesSeveral: true, choose: { _ in }),
          session: stage.app.session))
      stage.settle()
      stage.type("8G")
    case "entities":
      stage.type("/person")
      stage.press(.enter, .escape)
      stage.type("gjj")
    case "list", "grid", "object":
      while !stage.cursorLine.contains("Person") { stage.type("j") }
      stage.press(.enter)
      stage.type(table == "grid" ? "V8G" : "8G")
      if table == "object" {
        let id = try #require(stage.person("Jónsdóttir, Þór"))
        (stage.app.screen as? ListScreen)?.showCursor(on: id)
        stage.press(.enter)
        stage.type("jjjjj")
      }
    default: Issue.record("No way is known to the screen of the key table \(table).")
    }
    #expect((stage.app.screen as? BrowserScreen)?.keys.name == table)
    return stage
  }

  /// A text that has a tree, each of whose branches has leaves.
  private static let tree =
    "{"
    + (10..<40).map { "\"branch \($0)\": {\"leaf\": \($0)}" }.joined(separator: ", ") + "}"

  /// Other stores to choose from.
  private static var program: ProgramServices {
    var program = ProgramServices()
    program.storeChoices = {
      (10..<30).map {
        StoreChoice(
          path: "/home/me/store \($0).db", group: .here, kind: "SQLite database", byteCount: 8192,
          folder: "")
      }
    }
    program.open = { _, _, _ in
      StoreAccess(PersistentStoreCoordinator(store: try Contacts.store()))
    }
    return program
  }

  @Test(arguments: await KeyWalkTests.steps)
  func `each key does what its line of the help says, on what is seen`(_ step: Step) throws {
    let stage = try Self.stage(step.table)
    let effect = try #require(
      KeyEffect.effect(of: step.action, on: step.table),
      "Describe in KeyEffects.swift what a person sees of \(step.action).")
    effect.setUp(stage)
    let before = ScreenSight(stage)
    stage.press(step.key)
    let isSeen = effect.isSeen(stage, before)
    #expect(isSeen, "\(before.text)\n------ after \(step.key)\n\(stage.text)")
    expectSeen(stage, before)
  }

  /// What the key marked or opened was on the screen.
  private func expectSeen(_ stage: Stage, _ before: ScreenSight) {
    let context = stage.app.session.context
    for id in Set(stage.app.session.marks).subtracting(before.marks) where id.entityName == "Person"
    {
      #expect(before.text.contains(context.displayName(of: id)))
    }
  }

  @Test(arguments: await KeyWalkTests.tableNames)
  func `Enter in the help runs the key of the selected line`(_ name: String) throws {
    let table = try #require(KeyTable.all.first { $0.name == name })
    let lines = table.help.sections.flatMap(\.commands)
    for (index, line) in lines.enumerated() {
      let stage = try Self.stage(name)
      let entry = try #require(table.entries.first { $0.bindings[0].key == line.keys[0] })
      let effect = try #require(KeyEffect.effect(of: entry.bindings[0].action, on: name))
      effect.setUp(stage)
      let before = ScreenSight(stage)
      stage.type("?")
      stage.pressAtOnce(Array(repeating: .character("j"), count: index) + [.enter])
      let isSeen = effect.isSeen(stage, before)
      #expect(isSeen, "\(line.shownKeys(.unicode)) \(line.help)\n\(stage.text)")
    }
  }

  @Test(arguments: await KeyWalkTests.tableNames)
  func `the help of each screen fits 80×24 and says every line whole`(_ name: String) throws {
    let stage = try Self.stage(name)
    stage.resize(width: 80, height: 24)
    stage.type("?")
    let table = try #require(KeyTable.all.first { $0.name == name })
    let text = stage.text
    for line in table.help.commands {
      #expect(text.contains(line.shownKeys(.unicode)), "\(text)")
      #expect(text.contains(line.help), "\(text)")
    }
    #expect(!text.contains("▼"))
  }
}
