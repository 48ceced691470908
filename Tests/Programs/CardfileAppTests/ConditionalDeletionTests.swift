import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

@testable import CardfileApp

/// Objects that a condition chose are deleted only while they meet it.
@MainActor @Suite struct ConditionalDeletionTests {
  /// A change by another program between the plan and the save.
  struct Meanwhile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let condition: String
    let change: @Sendable (ManagedObjectContext) throws -> Void
    /// How the difference that refuses the save begins (in a Core Data store the version of both
    /// ends of a relationship changes); nil if the save succeeds.
    let difference: [String]?
  }

  nonisolated static let changes: [Meanwhile] = [
    Meanwhile(
      testDescription: "the object itself no longer matches", condition: "name == 'Ada'",
      change: { try SharedContacts.object("Ada", "Person", in: $0)["name"] = "Bea" },
      difference: ["1 Person changed"]),
    Meanwhile(
      testDescription: "the object changed and still matches", condition: "name BEGINSWITH 'A'",
      change: { try SharedContacts.object("Ada", "Person", in: $0)["name"] = "Ada L." },
      difference: ["1 Person changed"]),
    Meanwhile(
      testDescription: "an object without any effect no longer matches", condition: "name == 'Bob'",
      change: { try SharedContacts.object("Bob", "Person", in: $0)["name"] = "Rob" },
      difference: ["1 Person changed"]),
    Meanwhile(
      testDescription: "an object that the condition reads no longer matches",
      condition: "customer.name == 'Ada'",
      change: { try SharedContacts.object("Ada", "Person", in: $0)["name"] = "Bea" },
      difference: ["2 Order no longer matching"]),
    Meanwhile(
      testDescription: "the count that the condition reads differs",
      condition: "invoices.@count == 0",
      change: {
        let bob = try SharedContacts.object("Bob", "Person", in: $0)
        try SharedContacts.insert("Invoice", "I1", in: $0, owner: bob, forKey: "customer")
      }, difference: ["1 Invoice added to Person.invoices"]),
    Meanwhile(
      testDescription: "an object is gone", condition: "name == 'Bob'",
      change: { try $0.delete(SharedContacts.object("Bob", "Person", in: $0)) },
      difference: ["1 Person deleted"]),
    Meanwhile(
      testDescription: "a dependant is added", condition: "name == 'Ada'",
      change: {
        let ada = try SharedContacts.object("Ada", "Person", in: $0)
        try SharedContacts.insert("Pet", "Ivy", in: $0, owner: ada, forKey: "owner")
      }, difference: ["1 Pet added to Person.pets"]),
    Meanwhile(
      testDescription: "one more object matches", condition: "name == 'Bob'",
      change: { try SharedContacts.insert("Person", "Bob", in: $0) }, difference: nil),
    Meanwhile(
      testDescription: "an object that was not chosen changes", condition: "name == 'Bob'",
      change: { try SharedContacts.object("Ada", "Person", in: $0)["name"] = "Bea" },
      difference: nil),
  ]

  @Test(arguments: TestedStore.allCases, changes)
  func `nothing is deleted that no longer is as it was chosen`(
    kind: TestedStore, meanwhile: Meanwhile
  ) throws {
    let shared = try SharedContacts(kind)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: shared.store))
    let entityName = meanwhile.condition.hasPrefix("customer") ? "Order" : "Person"
    let condition = FetchPlan(
      entityName: entityName,
      predicate: try FetchPredicate(format: meanwhile.condition)
        .validated(forEntity: entityName, in: SharedContacts.model))
    let plan = try #require(try SavePlan.deleting(matching: condition, in: context))
    try shared.change(meanwhile.change)
    let before = try shared.contents()
    guard let difference = meanwhile.difference else {
      try context.save(deleting: plan.deletion)
      #expect(try shared.contents().count == before.count - 1)
      return
    }
    if kind != .memory {
      let error = #expect(throws: ManagedObjectError.self) {
        try context.rehearseSave(deleting: plan.deletion)
      }
      #expect(error?.storeError?.difference?.phrases.starts(with: difference) == true)
    }
    let error = #expect(throws: ManagedObjectError.self) {
      try context.save(deleting: plan.deletion)
    }
    #expect(error?.storeError?.difference?.phrases.starts(with: difference) == true)
    #expect(try shared.contents() == before)
    #expect(!context.hasChanges)
  }

  @Test(arguments: TestedStore.allCases)
  func `a later save of other changes does not evaluate the condition`(kind: TestedStore) throws {
    let shared = try SharedContacts(kind)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: shared.store))
    let condition = FetchPlan(
      entityName: "Person",
      predicate: try FetchPredicate(format: "name == 'Bob'")
        .validated(forEntity: "Person", in: SharedContacts.model))
    let before = try shared.contents()
    let plan = try #require(try SavePlan.deleting(matching: condition, in: context))
    try context.save(deleting: plan.deletion)
    context.undoHistory.undo()
    try context.save()
    #expect(try shared.contents() == before)
    context.undoHistory.redo()
    try shared.change { try SharedContacts.object("Bob", "Person", in: $0)["name"] = "Rob" }
    #expect(throws: ManagedObjectError.self) { try context.save() }
  }
}
