import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

@MainActor @Suite struct SectionTitlesTests {
  private static let model = ManagedObjectModel {
    Entity("Item") {
      Attribute("name", .string)
      Attribute("done", .boolean)
    }
  }

  /// A list of items by an attribute, in sections by its values.
  private func stage(
    by key: SectionKey, _ items: [(name: String, done: Value)],
    capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette)
  ) throws -> Stage {
    let store = InMemoryStore(model: Self.model, identifier: "51", name: "items.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for item in items {
      let object = try context.insert(entityName: "Item")
      object["name"] = .string(item.name)
      object["done"] = item.done
    }
    try context.save()
    return try Stage(
      "Item",
      options: AppOptions(
        sortDescriptors: [FetchSortDescriptor(key.keyPath)], section: .key(key)),
      store: store, capabilities: capabilities)
  }

  @Test func `sections of a boolean are called yes and no, as in the cells`() throws {
    let stage = try stage(
      by: SectionKey("done"), [("a", .bool(true)), ("b", .bool(false)), ("c", .null)])
    #expect(stage.text.contains("── yes ─"))
    #expect(stage.text.contains("── no ─"))
    #expect(!stage.text.contains("true"))
    stage.type("'y")
    #expect(stage.cursorLine.contains("yes"))
  }

  @Test func `a text true is not a boolean`() throws {
    let stage = try stage(by: SectionKey("name"), [("true", .null), ("other", .null)])
    #expect(stage.text.contains("── true ─"))
  }

  @Test func `the section of NULL has a title in ASCII too`() throws {
    let stage = try stage(
      by: SectionKey("done"), [("a", .bool(true)), ("b", .null)],
      capabilities: TerminalCapabilities(colorSupport: .none, isUnicode: false))
    #expect(stage.text.contains("-- NULL -"))
    #expect(!stage.text.contains("?--"))
    #expect(!stage.text.contains("-- ? -"))
  }

  @Test func `the strip distinguishes sections with a common beginning`() throws {
    let stage = try stage(
      by: SectionKey("name"), (1...200).map { ("Section \($0 + 100)", .null) })
    #expect(stage.lines[2].hasSuffix("101"))
    #expect(stage.text.contains("300"))
  }

  @Test func `a list with a single section can be jumped in`() throws {
    let stage = try stage(
      by: SectionKey("name", .initial), [("Carla", .null), ("Cem", .null)])
    stage.type("j'c")
    #expect(!stage.status.contains("no sections"))
    #expect(stage.cursorLine.contains("Carla"))
  }
}
