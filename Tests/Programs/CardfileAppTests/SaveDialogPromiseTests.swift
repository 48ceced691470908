import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestStores
import Testing

@testable import CardfileApp

/// What `y` does is what the dialog showed, whatever another program does meanwhile.
@MainActor @Suite struct SaveDialogPromiseTests {
  /// A change by another program while the dialog is open.
  struct Meanwhile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (ManagedObjectContext) throws -> Void
    /// What the new dialog says of it.
    let said: String
    /// The deletions and nullifications that the new dialog shows.
    let shown: [String]
    /// What is in the store after `y` on the new dialog.
    let left: [String]
  }

  private nonisolated static let orders = ["Order O1", "Order O2"]

  private nonisolated static let changes: [Meanwhile] = [
    Meanwhile(
      testDescription: "a dependant is added",
      change: {
        let ada = try SharedContacts.object("Ada", "Person", in: $0)
        try SharedContacts.insert("Pet", "Ivy", in: $0, owner: ada, forKey: "owner")
      }, said: "1 Pet added to Person.pets", shown: ["3 Pet deleted", "2 Toy deleted"],
      left: orders + ["Person Bob"]),
    Meanwhile(
      testDescription: "a dependant of a dependant is added",
      change: {
        let rex = try SharedContacts.object("Rex", "Pet", in: $0)
        try SharedContacts.insert("Toy", "bone", in: $0, owner: rex, forKey: "pet")
      }, said: "1 Toy added to Pet.toys", shown: ["2 Pet deleted", "3 Toy deleted"],
      left: orders + ["Person Bob"]),
    Meanwhile(
      testDescription: "a dependant is renamed",
      change: { try SharedContacts.object("Rex", "Pet", in: $0)["name"] = "Max" },
      said: "1 Pet changed", shown: ["2 Pet deleted", "2 Toy deleted"],
      left: orders + ["Person Bob"]),
    Meanwhile(
      testDescription: "a dependant is deleted",
      change: { try $0.delete(SharedContacts.object("Rex", "Pet", in: $0)) },
      said: "1 Pet deleted", shown: ["1 Pet deleted", "1 Toy deleted"],
      left: orders + ["Person Bob"]),
    Meanwhile(
      testDescription: "a dependant gets another owner",
      change: {
        let bob = try SharedContacts.object("Bob", "Person", in: $0)
        try SharedContacts.object("Rex", "Pet", in: $0).setObject(bob, forKey: "owner")
      }, said: "1 Pet removed from Person.pets", shown: ["1 Pet deleted", "1 Toy deleted"],
      left: orders + ["Person Bob", "Pet Rex owner Bob", "Toy Rex's ball pet Rex"]),
    Meanwhile(
      testDescription: "an object to nullify is renamed",
      change: { try SharedContacts.object("O1", "Order", in: $0)["name"] = "O1b" },
      said: "1 Order changed", shown: ["2 Pet deleted", "2 Order kept"],
      left: ["Order O1b", "Order O2", "Person Bob"]),
    Meanwhile(
      testDescription: "an object to nullify is added",
      change: {
        let ada = try SharedContacts.object("Ada", "Person", in: $0)
        try SharedContacts.insert("Order", "O3", in: $0, owner: ada, forKey: "customer")
      }, said: "1 Order added to Person.orders", shown: ["2 Pet deleted", "3 Order kept"],
      left: orders + ["Order O3", "Person Bob"]),
    Meanwhile(
      testDescription: "the marked object is renamed",
      change: { try SharedContacts.object("Ada", "Person", in: $0)["name"] = "Ada L." },
      said: "1 Person changed", shown: ["1 Person deleted", "2 Pet deleted"],
      left: orders + ["Person Bob"]),
  ]

  private func stage(_ shared: SharedContacts, options: AppOptions = AppOptions()) throws -> Stage {
    let stage = try Stage(height: 30, options: options, opened: shared.store)
    stage.type("/ada")
    stage.press(.enter)
    return stage
  }

  @Test(arguments: TestedStore.allCases, changes)
  func `nothing that was not shown is written, and the dialog comes again`(
    kind: TestedStore, meanwhile: Meanwhile
  ) throws {
    try expectPromise(kind, meanwhile, isNoticed: false)
  }

  @Test(arguments: TestedStore.allCases, changes)
  func `a change that the list shows behind the dialog is not written either`(
    kind: TestedStore, meanwhile: Meanwhile
  ) throws {
    try expectPromise(kind, meanwhile, isNoticed: true)
  }

  /// Answers the dialog with `y` after another program changed the store, and the new dialog with `y` again.
  ///
  /// - Parameters:
  ///   - kind: The kind of store.
  ///   - meanwhile: The change of the other program.
  ///   - isNoticed: Whether the application refreshes its lists before the answer.
  private func expectPromise(
    _ kind: TestedStore, _ meanwhile: Meanwhile, isNoticed: Bool
  ) throws {
    let shared = try SharedContacts(kind)
    let stage = try stage(shared)
    stage.type("dW")
    #expect(stage.text.contains("2 Pet deleted"))
    try shared.change(meanwhile.change)
    if isNoticed {
      stage.app.follower?.foreignChange.set()
      stage.app.handle(.wake)
      stage.settle()
    }
    let before = try shared.contents()
    confirm(stage)
    #expect(try shared.contents() == before)
    #expect(stage.app.session.marks.count == 1 && !stage.app.session.context.hasChanges)
    #expect(stage.text.contains("Since then: \(meanwhile.said)"))
    for line in meanwhile.shown { #expect(stage.text.contains(line)) }
    confirm(stage)
    #expect(stage.status.hasPrefix(" Saved"))
    #expect(try shared.contents() == meanwhile.left)
    #expect(!stage.app.session.hasUnsavedChanges)
    stage.type("uW")
    #expect(try shared.contents() == before)
  }

  /// Presses `y`, after the number where all of an entity would be deleted.
  private func confirm(_ stage: Stage) {
    if let range = stage.text.firstRange(of: #/Type (\d+) to go on/#) {
      let number = stage.text[range].split(separator: " ")[1]
      stage.type(String(number))
      stage.press(.enter)
    } else {
      stage.type("y")
    }
  }

  @Test(arguments: TestedStore.allCases)
  func `a dependant that now denies the deletion leaves nothing to confirm`(
    kind: TestedStore
  ) throws {
    let shared = try SharedContacts(kind)
    let stage = try stage(shared)
    stage.type("dW")
    try shared.change {
      let ada = try SharedContacts.object("Ada", "Person", in: $0)
      try SharedContacts.insert("Invoice", "I1", in: $0, owner: ada, forKey: "customer")
    }
    let before = try shared.contents()
    confirm(stage)
    #expect(stage.text.contains("Since then: 1 Invoice added to Person.invoices"))
    #expect(stage.text.contains("Ada has 1 Invoice (deny): refused"))
    #expect(!stage.text.contains("y save"))
    stage.press(.escape)
    #expect(try shared.contents() == before)
    #expect(stage.app.session.marks.count == 1)
  }

  @Test(arguments: TestedStore.allCases)
  func `a marked object that another program deleted is no longer marked`(
    kind: TestedStore
  ) throws {
    let shared = try SharedContacts(kind)
    let stage = try stage(shared)
    stage.type("dW")
    try shared.change { try $0.delete(SharedContacts.object("Ada", "Person", in: $0)) }
    confirm(stage)
    #expect(stage.text.contains("Since then: 1 Person deleted"))
    #expect(stage.text.contains("Nothing is left to save."))
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test(arguments: TestedStore.allCases)
  func `the question of save after edit comes again too`(kind: TestedStore) throws {
    let shared = try SharedContacts(kind)
    let stage = try stage(shared, options: AppOptions(saveAfterEdit: true))
    stage.type("d")
    try shared.change(Self.changes[0].change)
    let before = try shared.contents()
    confirm(stage)
    #expect(try shared.contents() == before)
    #expect(stage.text.contains("Delete Ada?"))
    #expect(stage.text.contains("Since then: 1 Pet added to Person.pets"))
    confirm(stage)
    #expect(try shared.contents() == Self.changes[0].left)
  }

  @Test func `the statements shown are those of the plan, nullifications included`() throws {
    let shared = try SharedContacts(.plain)
    let stage = try stage(shared)
    stage.type("dWv")
    #expect(stage.text.contains("UPDATE \"Order\" SET"))
    #expect(stage.text.contains("DELETE FROM \"Pet\""))
    #expect(!stage.app.session.context.hasChanges)
  }
}
