import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// Keeps the state in memory, as a later run of the program would find it.
@MainActor
final class MemoryKeeper: StateKeeping {
  var state = StoreState()
  var problem: String?

  func load() -> StoreState { state }
  func update(_ change: (inout StoreState) -> Void) { change(&state) }
  func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }
}

/// What a person chose in a former run is there in the next one.
@MainActor @Suite struct RememberedChoicesTests {
  @Test func `the order of a list is there in the next run`() throws {
    let keeper = MemoryKeeper()
    let first = try Stage(keeper: keeper)
    first.type("scity")
    first.press(.enter)
    first.type("S")
    #expect(keeper.state.entities["Person"]?.sort == [.init("city", ascending: false)])
    let second = try Stage(keeper: keeper)
    #expect(second.title.contains("by city ↓"), "\(second.title)")
  }

  @Test func `options of the command line come before what was chosen`() throws {
    let keeper = MemoryKeeper()
    keeper.state.entities["Person"] = EntityPreferences(
      columns: [.init("email")], sort: [.init("city")], section: "none")
    let stage = try Stage(
      options: AppOptions(
        sortDescriptors: [FetchSortDescriptor("name")], columns: ["name", "born"]),
      keeper: keeper)
    #expect(stage.title.contains("by name ↑"))
    #expect(stage.lines[1].contains("name ↑"))
    #expect(!stage.lines[1].contains("email"))
    #expect(stage.lines[2].contains("──"), "sections follow the given order")
  }

  @Test func `names that the entity does not have any more are left out`() throws {
    let keeper = MemoryKeeper()
    keeper.state.entities["Person"] = EntityPreferences(
      columns: [.init("gone"), .init("city")], sort: [.init("lost.name"), .init("email")],
      section: "vanished:year")
    let stage = try Stage(keeper: keeper)
    #expect(stage.title.contains("by email ↑"), "\(stage.title)")
    #expect(stage.lines[1].contains("city"))
    #expect(!stage.lines[1].contains("name"))
    let lost = MemoryKeeper()
    lost.state.entities["Person"] = EntityPreferences(columns: [.init("gone")], sort: [])
    #expect(try Stage(keeper: lost).title.contains("by name ↑"))
  }

  @Test func `former filters are there in the next run, the latest first`() throws {
    let keeper = MemoryKeeper()
    let first = try Stage(keeper: keeper)
    for text in ["/ito", "/kim", "/ito"] {
      first.press(.escape)
      first.type(text)
      first.press(.enter)
    }
    #expect(keeper.state.filterHistory["Person"] == ["kim", "ito"])
    let second = try Stage(keeper: keeper)
    second.type("/")
    second.press(.up)
    #expect(second.status.contains("/ ito"))
    second.press(.up)
    #expect(second.status.contains("/ kim"))
  }

  @Test func `a state that cannot be kept is reported once and stops nothing`() throws {
    let keeper = MemoryKeeper()
    keeper.problem = "The state cannot be read"
    let stage = try Stage(keeper: keeper)
    #expect(stage.status.contains("The state cannot be read"))
    stage.type("jS")
    #expect(!stage.text.contains("cannot be read"))
    #expect(stage.title.contains("by name ↓"))
  }
}
