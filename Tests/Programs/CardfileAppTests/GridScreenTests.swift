import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct GridScreenTests {
  private static let model = ManagedObjectModel {
    Entity("Color") {
      Attribute("name", .string)
      Attribute("hex", .string)
    }
    Entity("Tag") { Attribute("name", .string) }
  }

  private static let colors = [
    ("Acorn Cap", "#8A5A33"), ("Afternoon Tea", "#B5763B"), ("Alpine Shade", "#4F7C7A"),
    ("Amber Lamp", "#F0A830"), ("Autumn Bonfire", "#C4501B"), ("Beach Pebble", "#B9B2A3"),
    ("Beetle Wing", "#1F5B4C"), ("Birch Bark", "#E9E1D0"), ("Candle Smoke", "#8B8589"),
    ("Cellar Door", "#3C4A3A"), ("Daffodil Bend", "#FFD63A"), ("Midnight Train", "#141C3A"),
    ("No colour", nil), ("Zinc Bath, a name that is longer than its cell", "#9AA5AB"),
  ]

  private func store() throws -> InMemoryStore {
    let store = InMemoryStore(model: Self.model, identifier: "C0", name: "colors.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for (name, hex) in Self.colors {
      let color = try context.insert(entityName: "Color")
      color["name"] = .string(name)
      color["hex"] = hex.map { .string($0) } ?? .null
    }
    try context.insert(entityName: "Tag")["name"] = "tag"
    try context.save()
    return store
  }

  private func stage(
    isGrid: Bool = true,
    capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette)
  ) throws -> Stage {
    var options = AppOptions()
    if isGrid {
      options.entityDefaults = [
        "Color": EntityPreferences(section: "name:initial", isGrid: true)
      ]
    }
    options.tips = ["Color": "V shows the list"]
    return try Stage("Color", options: options, store: store(), capabilities: capabilities)
  }

  @Test func `a grid of swatches matches its golden pictures`() throws {
    try expectPictures("grid") { capabilities in
      let stage = try stage(capabilities: capabilities)
      stage.type("ljd ")
      return stage
    }
  }

  @Test func `V goes to the grid and back, with the cursor and the selection on their objects`()
    throws
  {
    let stage = try stage(isGrid: false)
    stage.type("jj  ")
    #expect(stage.cursorLine.contains("Autumn Bonfire"))
    stage.type("V")
    #expect(stage.lines.contains { $0.contains("Acorn Cap") && $0.contains("Afternoon Tea") })
    let grid = try #require(stage.app.screen as? ListScreen)
    #expect(grid.cursorID.map { grid.session.context.displayName(of: $0) } == "Autumn Bonfire")
    #expect(grid.tableView.selection.count == 2)
    stage.type("lV")
    #expect(stage.cursorLine.contains("Beach Pebble"))
    #expect(grid.tableView.selection.count == 2)
  }

  @Test func `column keys right after V, before the list is drawn, move the mark`() throws {
    let names = (1...9).map { "a\($0)" }
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Wide", attributes: names.map { AttributeDescription($0, .string) })
    ])
    let store = InMemoryStore(model: model, identifier: "W0", name: "wide.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for name in names { try context.insert(entityName: "Wide")[name] = "x" }
    try context.save()
    let stage = try Stage("Wide", width: 200, height: 30, store: store)
    stage.type("V")
    stage.pressAtOnce([.character("V"), .backTab, .character("y")])
    stage.press(.escape)
    stage.type("V")
    stage.pressAtOnce([.character("V")] + Array(repeating: .tab, count: 7))
    #expect(stage.lines.contains { $0.contains("a9") })
  }

  @Test func `the grid is kept for its entity`() throws {
    let stage = try stage(isGrid: false)
    stage.type("VE")
    stage.press(.enter)
    #expect(stage.lines.contains { $0.contains("Acorn Cap") && $0.contains("Afternoon Tea") })
    stage.type("Ej")
    stage.press(.enter)
    #expect(stage.title.contains("Tag"))
    #expect((stage.app.screen as? ListScreen)?.isGrid == false)
  }

  @Test(arguments: [
    ("l", "Afternoon Tea"), ("lll", "Amber Lamp"), ("4l", "Autumn Bonfire"),
    ("j", "Autumn Bonfire"),
    ("lj", "Autumn Bonfire"), ("lljk", "Alpine Shade"), ("lljh", "Amber Lamp"), ("G", "Zinc Bath"),
    ("Gg", "Acorn Cap"),
    ("]", "Beach Pebble"), ("'d", "Daffodil Bend"), ("d", "Afternoon Tea"), (" ", "Afternoon Tea"),
  ])
  func `keys move in two dimensions`(_ keys: String, _ name: String) throws {
    let stage = try stage()
    stage.type(keys)
    let screen = try #require(stage.app.screen as? ListScreen)
    let cursor = try #require(screen.cursorID)
    #expect(screen.session.context.displayName(of: cursor).hasPrefix(name))
  }

  @Test func `Enter opens the object of a cell, Backspace comes back to it`() throws {
    let stage = try stage()
    stage.type("l")
    stage.press(.enter)
    #expect(stage.title.contains("Afternoon Tea"))
    stage.press(.backspace)
    stage.click(x: 24, y: 2, .doublePress)
    #expect(stage.title.contains("Afternoon Tea"))
  }

  @Test func `a filter and a change outside keep the cursor of a grid on its object`() throws {
    let stage = try stage()
    stage.type("G/train")
    stage.press(.enter)
    #expect(stage.text.contains("Midnight Train"))
    stage.press(.escape)
    let screen = try #require(stage.app.screen as? ListScreen)
    #expect(screen.cursorID.map { screen.session.context.displayName(of: $0) } == "Midnight Train")
    try stage.changeOutside { try $0.insert(entityName: "Color")["name"] = "Aardvark" }
    #expect(screen.cursorID.map { screen.session.context.displayName(of: $0) } == "Midnight Train")
    #expect(screen.tableView.numberOfRows == 15)
  }

  @Test func `the line of what to try is shown until there is something else to say`() throws {
    let stage = try stage()
    #expect(stage.status.contains("V shows the list"))
    stage.type(" ")
    #expect(stage.status.contains("1 selected"))
    stage.type("E")
    #expect(stage.status.contains("V shows the list"))
  }

  @Test func `a new object has the time of its insertion without being asked`() throws {
    let store = InMemoryStore(
      model: ManagedObjectModel {
        Entity("Moment") { Attribute("timeStamp", .date, isOptional: false) }
      }, identifier: "E0", name: "moments.sqlite")
    var options = AppOptions()
    options.entityDefaults = ["Moment": EntityPreferences(insertionDate: "timeStamp")]
    let stage = try Stage("Moment", options: options, store: store)
    stage.type("o")
    #expect(stage.app.overlays.isEmpty)
    #expect(stage.app.session.flagCounters == "+1")
    #expect(stage.cursorLine.contains("2026-11-18"))
  }
}
