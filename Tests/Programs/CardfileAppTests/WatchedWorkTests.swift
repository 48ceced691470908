import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Long work on the screen's thread shows its progress and can be cancelled at any moment.
@MainActor @Suite struct WatchedWorkTests {
  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      ToMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)
    }
    Entity("Pet") {
      Attribute("name", .string)
      ToOne("owner", "Person", inverse: "pets")
    }
  }
  private static let count = 700

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A screen of 700 people with a pet each, whose clock goes on by a second with every look.
  private func stage() throws -> Stage {
    let store = try SQLiteStore.create(path: folder.path("people.sqlite"), model: Self.model)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for number in 1...Self.count {
      let person = try context.insert(entityName: "Person")
      person["name"] = .string("P\(number)")
      let pet = try context.insert(entityName: "Pet")
      try pet.setObject(person, forKey: "owner")
    }
    try context.save()
    let stage = try Stage("Person", opened: store)
    var now = 0
    stage.app.clock = {
      now += 1_000
      return now
    }
    return stage
  }

  private func stored(_ stage: Stage) throws -> [Int] {
    try ["Person", "Pet"].map { try stage.gate.count(FetchPlan(entityName: $0), control: nil) }
  }

  /// Marks all, and presses the keys up to the save.
  private func save(_ stage: Stage) {
    stage.type("*d")
    stage.type("W")
    if stage.text.contains("Save changes?") {
      stage.type(String(2 * Self.count))
      stage.press(.enter)
      if stage.text.contains("Save changes?") { stage.type("y") }
    }
  }

  @Test func `the screen is drawn before work with a title, not before a part of it`() throws {
    let stage = try Stage()
    let (app, terminal) = (stage.app, stage.terminal)
    let count = terminal.frames.count
    app.work("Changing") { app.work("Taking it back", canCancel: false) {} }
    #expect(terminal.frames.count == count + 1)
    app.work { app.work("Changing") {} }
    #expect(terminal.frames.count == count + 2)
    app.work {}
    #expect(terminal.frames.count == count + 2)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20])
  func `cancelled at any moment nothing is written, and the next save writes all`(
    looks: Int
  ) throws {
    let stage = try stage()
    var left = looks
    var wasStopped = false
    stage.terminal.stopRequest = {
      left -= 1
      if left == 0 { wasStopped = true }
      return left == 0
    }
    save(stage)
    if wasStopped {
      #expect(stage.text.contains("nothing was written"), "\(stage.text)")
      #expect(try stored(stage) == [Self.count, Self.count])
      #expect(stage.app.session.marks.count == Self.count)
      save(stage)
    }
    #expect(wasStopped || looks > 6)
    #expect(try stored(stage) == [0, 0])
    stage.type("uW")
    stage.press(.enter)
    #expect(try stored(stage) == [Self.count, Self.count] || stage.text.contains("y save"))
  }

  @Test func `the progress of a plan and of a save is shown`() throws {
    let stage = try stage()
    save(stage)
    let lines = stage.terminal.frames.map { $0.lines.dropLast().last ?? "" }
    for title in ["Planning the save …", "Saving …"] {
      #expect(lines.contains { $0.contains(title) && $0.contains("Esc cancel") }, "\(title)")
    }
    #expect(lines.contains { $0.contains("Saving …") && $0.contains("/1,400") })
    #expect(try stored(stage) == [0, 0])
    stage.type("u")
    let undoing = stage.terminal.frames.map { $0.lines.dropLast().last ?? "" }
    #expect(undoing.contains { $0.contains("Undoing …") && !$0.contains("Esc") })
  }
}
