import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct DetailPageTests {
  /// The page of Þór, who has a photo, notes and two pets.
  private func page(width: Int = 80, height: Int = 24) throws -> Stage {
    let stage = try Stage(width: width, height: height)
    stage.type("/þór")
    stage.press(.enter, .enter)
    return stage
  }

  private func property(_ stage: Stage) -> String? {
    (stage.app.screen as? DetailScreen)?.currentRow?.property.label
  }

  @Test(arguments: [
    ("]", "employer"), ("]]", "objectID"), ("]]]]", "objectID"), ("]jj[", "employer"),
    ("]jj[[", "name"), ("2]", "objectID"), ("G[", "objectID"), ("jj[", "name"),
  ])
  func `brackets go between the blocks`(_ keys: String, _ expected: String) throws {
    let stage = try page()
    stage.type(keys)
    #expect(property(stage) == expected)
  }

  @Test func `Tab and Shift-Tab go between the blocks`() throws {
    let stage = try page()
    stage.press(.tab)
    #expect(property(stage) == "employer")
    stage.press(.backTab)
    #expect(property(stage) == "name")
  }

  @Test func `f finds labels and values without case and accents, n and N go around`() throws {
    let stage = try page()
    stage.type("fREYKJ")
    #expect(property(stage) == "city")
    stage.press(.enter)
    stage.type("fo")
    stage.press(.enter)
    let rows = try #require(stage.app.screen as? DetailScreen).contents?.rows.map(\.property.label)
    let matching = ["name", "city", "born", "email", "notes"]
    #expect(rows?.prefix(5) == matching[...])
    stage.type("n")
    #expect(property(stage) == "email")
    stage.type("2N")
    #expect(property(stage) == "name")
    stage.type("N")
    #expect(property(stage) == "row")
    stage.type("n")
    #expect(property(stage) == "name")
  }

  @Test func `the matches are highlighted`() throws {
    let stage = try page()
    stage.type("fjazz")
    stage.press(.enter)
    let canvas = stage.draw()
    let y = try #require(canvas.lines.firstIndex { $0.contains("jazz") })
    let marked = (0..<80).filter { canvas[$0, y].style.attributes.contains(.underline) }
    let text = String(marked.compactMap { canvas[$0, y].character })
    #expect(text == "jazz")
    stage.press(.escape)
    #expect(stage.app.screens.count == 2)
    #expect(stage.draw()[marked[0], y].style.attributes.contains(.underline) == false)
    stage.press(.escape)
    #expect(stage.app.screens.count == 1)
  }

  @Test func `a slash leaves only the properties with a text, Esc shows all at the same position`()
    throws
  {
    let stage = try page()
    stage.type("jjj/jon")
    #expect(stage.text.contains("thor.jons@example.com"))
    #expect(!stage.text.contains("Reykjavík"))
    #expect(!stage.text.contains("Relationships"))
    stage.press(.enter)
    #expect(property(stage) == "email")
    stage.press(.escape)
    #expect(stage.text.contains("Reykjavík"))
    #expect(property(stage) == "email")
    stage.type("/qqq")
    #expect(stage.text.contains("No property contains qqq"))
    stage.press(.escape)
    #expect(stage.text.contains("Reykjavík"))
  }

  @Test func `a period hides and shows properties without a value, also of the next object`() throws
  {
    let stage = try Stage()
    stage.type("/éluard")
    stage.press(.enter, .enter)
    #expect(stage.text.contains("photo"))
    stage.type(".")
    #expect(!stage.text.contains("photo"))
    #expect(!stage.text.contains("invoices"))
    #expect(stage.text.contains("4 empty properties hidden — . shows them"))
    stage.press(.left)
    stage.press(.enter)
    #expect(!stage.text.contains("photo"))
    stage.type(".")
    #expect(stage.text.contains("photo"))
  }

  @Test func `the next object is shown at the same property`() throws {
    let stage = try Stage()
    stage.press(.enter)
    stage.type("fborn")
    stage.press(.enter)
    stage.type("J")
    #expect(property(stage) == "born")
    #expect(stage.title.contains("2 of 20"))
  }

  @Test func `a page does not count the objects of a list that is still read`() throws {
    let stage = try Stage.partialList()
    stage.press(.enter)
    #expect(stage.title.contains("1 of …  ◂ K  J ▸"))
    stage.type("250J")
    #expect(stage.status.contains("The rest of the list is still being read"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.title.contains("1 of 300"))
  }

  @Test func `among the last rows of a list no position is shown, and only the end is known`()
    throws
  {
    let stage = try Stage.partialList()
    stage.gate.letsPartsPass = true
    stage.type("G")
    stage.press(.enter)
    #expect(stage.title.contains("… of …  ◂ K  J ▸"))
    stage.type("J")
    #expect(stage.status.contains("There is no next object"))
    stage.type("K")
    #expect(stage.title.contains("… of …"))
    stage.type("250K")
    #expect(stage.status.contains("The rest of the list is still being read"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.title.contains("299 of 300"))
  }

  @Test func `a long value is read only in part to open the page`() throws {
    let store = try Contacts.store()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let id = try #require(store.contents.keys.first { $0.entityName == "Person" })
    let person = context.object(with: id)
    person["notes"] = .string(String(repeating: "many words, ", count: 900_000))
    person["photo"] = .data(Data("bplist00".utf8) + Data(repeating: 0, count: 10_000_000))
    try context.save()
    var services = StoreServices()
    services.description = { _ in ["described"] }
    let stage = try Stage(store: store, services: services)
    stage.gate.resetCounts()
    stage.app.push(DetailScreen(id, path: [], neighbours: nil, session: stage.app.session))
    stage.draw()
    #expect(stage.gate.counts.wholeValues == 0)
    #expect(stage.text.contains("… ⏎ shows all 10,800,000 bytes"))
    #expect(stage.text.contains("BLOB 10,000,008 bytes"))
  }
}
