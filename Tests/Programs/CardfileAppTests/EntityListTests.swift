import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// The list of entities.
@MainActor @Suite struct EntityListTests {
  private func store(_ names: [String], filled: Set<String>) throws -> InMemoryStore {
    let model = ManagedObjectModel(
      entities: names.map {
        EntityDescription(name: $0, attributes: [AttributeDescription("name", .string)])
      })
    let store = InMemoryStore(model: model, name: "photos.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for name in filled.sorted() { try context.insert(entityName: name)["name"] = .string("x") }
    try context.save()
    return store
  }

  @Test func `the entity of the typed name is the first match`() throws {
    let names = ["AdditionalAssetAttributes", "Asset", "AssetDescription", "CloudAsset"]
    let stage = try Stage(nil, store: store(names, filled: Set(names)))
    stage.type("/asset")
    #expect(stage.cursorLine.contains("▌  Asset "), "\(stage.text)")
    stage.press(.enter, .enter)
    #expect(stage.title.contains("› Asset "), "\(stage.title)")
  }

  @Test func `empty entities are hidden until they are asked for, or found by the filter`() throws {
    let stage = try Stage(nil, store: store(["Album", "Face", "Moment"], filled: ["Face"]))
    #expect(!stage.text.contains("Album"))
    #expect(stage.status.contains("2 empty entities hidden — . shows them"))
    stage.type(".")
    #expect(stage.text.contains("Album"))
    stage.type(".")
    #expect(!stage.text.contains("Album"))
    stage.type("/mom")
    #expect(stage.text.contains("Moment"))
  }

  @Test func `a store without any object shows all entities`() throws {
    let stage = try Stage(nil, store: store(["Album", "Face"], filled: []))
    #expect(stage.text.contains("Album"))
    #expect(stage.text.contains("Face"))
  }

  @Test func `the cursor begins on the entity visited last, in this run and the next`() throws {
    let keeper = MemoryKeeper()
    let first = try Stage("Invoice", keeper: keeper)
    first.type("E")
    #expect(first.cursorLine.contains("Invoice"), "\(first.text)")
    let second = try Stage(nil, keeper: keeper)
    #expect(second.cursorLine.contains("Invoice"), "\(second.text)")
  }

  @Test func `what is not saved is counted for each entity`() throws {
    let stage = try Stage("Tag")
    stage.type("dd")
    try stage.app.session.context.insert(entityName: "Pet")["name"] = "Rex II"
    stage.app.session.context.processPendingChanges()
    stage.type("E")
    let lines = stage.lines
    #expect(lines.contains { $0.contains("Unsaved") })
    #expect(lines.contains { $0.contains("Tag") && $0.contains("D2") }, "\(stage.text)")
    #expect(lines.contains { $0.contains("Pet") && $0.contains("+1") }, "\(stage.text)")
  }

  @Test func `a list that was left is found with its window`() throws {
    let stage = try Stage("Tag", store: try Contacts.store(tagCount: 300))
    stage.type("100Gzt3j")
    let lines = stage.lines.dropLast()
    stage.type("E")
    stage.press(.enter)
    #expect(stage.lines.dropLast() == lines, "\(stage.text)")
  }

  @Test func `a list that was left is found with its filter, order and cursor`() throws {
    let stage = try Stage(nil, width: 160)
    stage.press(.enter)
    stage.type("scity")
    stage.press(.enter)
    stage.type("/o")
    stage.press(.enter)
    stage.type("jjj")
    let (title, line) = (stage.title, stage.cursorLine)
    stage.type("E")
    stage.press(.enter)
    #expect(stage.title == title)
    // The columns are as wide as the rows that were seen need. At this width none is truncated.
    #expect(stage.cursorLine.split(separator: " ") == line.split(separator: " "))
  }
}
