import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

@testable import CardfileApp

/// What the save dialog and `cardfile delete` say of a save.
@MainActor @Suite struct SavePlanTests {
  private func objects(_ entityName: String, in context: ManagedObjectContext) throws -> [ObjectID]
  {
    Array(try context.fetchIDs(FetchPlan(entityName: entityName)).ids)
  }

  private func context(_ model: ManagedObjectModel, fill: (ManagedObjectContext) throws -> Void)
    throws -> ManagedObjectContext
  {
    let store = InMemoryStore(model: model)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try fill(context)
    try context.save()
    return ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
  }

  @Test(arguments: [1, 2, 3, 4, 5_000])
  func `each delete rule that refuses has one line`(count: Int) throws {
    let model = ManagedObjectModel {
      Entity("Track") {
        Attribute("name", .string)
        ToMany("lines", "Line", inverse: "track", deleteRule: .deny)
        ToMany("copies", "Copy", inverse: "track", deleteRule: .deny)
      }
      Entity("Line") { ToOne("track", "Track", inverse: "lines") }
      Entity("Copy") { ToOne("track", "Track", inverse: "copies") }
    }
    let context = try context(model) { context in
      for number in 1...count {
        let track = try context.insert(entityName: "Track")
        track["name"] = .string("T\(number)")
        for _ in 0..<2 {
          try context.insert(entityName: "Line").setObject(track, forKey: "track")
        }
      }
      let first = try #require(context.insertedObjects.first { $0["name"] == "T1" })
      try context.insert(entityName: "Copy").setObject(first, forKey: "track")
    }
    let plan = try SavePlan(deleting: objects("Track", in: context), in: context)
    let total = Value.grouped(count)
    let lines = [
      "! T1 has 1 Copy (deny): refused",
      count == 1
        ? "! T1 has 2 Line (deny): refused"
        : "! \(total) Track kept: \(Value.grouped(2 * count)) Line need them (deny)   "
          + (1...min(count, 3)).map { "T\($0)" }.joined(separator: " · ")
          + (count > 3 ? " · …" : ""),
    ]
    #expect(plan.notes == lines)
    #expect(plan.refused.count == count && plan.deleting.isEmpty)
  }

  @Test(arguments: [DeleteRule.nullify, .noAction], [TestedStore.memory, .plain, .coreData])
  func `objects that a to-many relationship without inverse leaves behind are announced`(
    rule: DeleteRule, kind: TestedStore
  ) throws {
    let model = ManagedObjectModel {
      Entity("Cart") {
        Attribute("name", .string)
        ToMany("items", "Item", deleteRule: rule)
        ToMany("owned", "Item", deleteRule: .cascade)
      }
      Entity("Item") { Attribute("name", .string) }
    }
    let folder = try TemporaryFolder()
    let store = try kind.makeStore(model, in: folder)
    let first = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let cart = try first.insert(entityName: "Cart")
    for number in 1...3 {
      let item = try first.insert(entityName: "Item")
      item["name"] = .string("I\(number)")
      try cart.add(item, forKey: "items")
      if number == 3 { try cart.add(item, forKey: "owned") }
    }
    try first.save()
    let context = ManagedObjectContext(coordinator: first.persistentStoreCoordinator)
    let plan = try SavePlan(deleting: [cart.objectID], in: context)
    #expect(
      plan.effects.contains {
        $0.hasPrefix("2 Item kept") && $0.contains("no longer in Cart.items, which has no inverse")
      }, "\(plan.effects)")
    try context.save(deleting: plan.deletion)
    #expect(try context.count(for: FetchPlan(entityName: "Item")) == 2)
    context.undoHistory.undo()
    try context.save()
    #expect(context.object(with: cart.objectID).objectIDs(forKey: "items").count == 3)
  }

  @Test(arguments: [[], ["2 log inserted", "1 part deleted"]])
  func `what triggers did is in the report`(phrases: [String]) throws {
    let model = ManagedObjectModel { Entity("Item") { Attribute("name", .string) } }
    let context = try context(model) { _ = try $0.insert(entityName: "Item") }
    let plan = try SavePlan(deleting: objects("Item", in: context), in: context)
    var effects = TriggerEffects()
    if !phrases.isEmpty { (effects.inserted, effects.deleted) = (["log": 2], ["part": 1]) }
    #expect(
      plan.report(effects, advice: " — u undoes it")
        == (phrases.isEmpty
          ? "Saved: 1 deleted — u undoes it"
          : "Saved: 1 deleted; triggers: 1 part deleted, 2 log inserted — u undoes it"))
  }
}
