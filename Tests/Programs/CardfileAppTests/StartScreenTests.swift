import ManagedObjects
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The screen on which a store is chosen.
@MainActor @Suite struct StartScreenTests {
  private static let choices = [
    StoreChoice(
      path: "/home/me/photos/Photos.sqlite", group: .recent, kind: "Core Data store",
      byteCount: 126_000_000, folder: "~/photos"),
    StoreChoice(
      path: "/home/me/chinook.sqlite", group: .recent, kind: "SQLite database",
      byteCount: 1_007_616, folder: ""),
    StoreChoice(
      path: "/home/me/東京 \u{1B}[31m.db", group: .here, kind: "SQLite database", byteCount: 8192,
      folder: ""),
  ]

  private struct Refused: Error, CustomStringConvertible {
    var description: String { "it is not a SQLite database" }
  }

  private func stage(
    _ choices: [StoreChoice] = Self.choices, width: Int = 80, height: Int = 24,
    capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette)
  ) throws -> Stage {
    var program = ProgramServices()
    program.storeChoices = { choices }
    program.completePath = { typed in choices.map(\.path).filter { $0.hasPrefix(typed) } }
    let store = try Contacts.store()
    program.open = { path, _, _ in
      guard path.hasSuffix("chinook.sqlite") else { throw Refused() }
      return StoreAccess(PersistentStoreCoordinator(store: store))
    }
    return try Stage(
      nil, width: width, height: height, program: program, opensStore: false,
      capabilities: capabilities)
  }

  @Test func `the stores are offered at every size`() throws {
    try expectPictures("start") { capabilities in
      let stage = try self.stage(capabilities: capabilities)
      stage.type("j")
      return stage
    }
  }

  @Test func `Enter opens the store under the cursor, an error keeps the list`() throws {
    let stage = try self.stage()
    stage.press(.enter)
    #expect(stage.status.contains("it is not a SQLite database"))
    stage.type("j")
    stage.press(.enter)
    #expect(stage.title.contains("contacts.sqlite"))
    #expect(stage.text.contains("Person"))
  }

  @Test func `the list is narrowed, and an empty one says what to do`() throws {
    let stage = try self.stage()
    stage.type("/photo")
    stage.press(.enter)
    #expect(stage.text.contains("Photos.sqlite"))
    #expect(!stage.text.contains("chinook"))
    stage.press(.escape)
    #expect(stage.text.contains("chinook"))
    let empty = try self.stage([])
    #expect(empty.text.contains("There is no SQLite database in this folder"))
    empty.press(.enter)
    #expect(empty.status.contains(":open PATH"))
    empty.type(":entity x")
    empty.press(.enter)
    #expect(empty.text.contains(":entity needs a store"))
  }
}
