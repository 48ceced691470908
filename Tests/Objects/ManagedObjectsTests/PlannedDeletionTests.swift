import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

/// Deletions that are planned, and stores that change before they are saved.
struct PlannedDeletionTests {
  private let store = InstrumentedStore(InMemoryStore(model: peopleModel, identifier: "test"))
  private let context: ManagedObjectContext
  private let ada: ManagedObject

  /// Ada has two pets and an order.
  init() throws {
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    ada = try context.make("Person", "Ada")
    for name in ["Rex", "Tom"] { try ada.add(try context.make("Pet", name), forKey: "pets") }
    try ada.add(try context.make("Order", "O1"), forKey: "orders")
    try context.save()
    context.trim(keeping: [])
    context.undoHistory.removeAllActions()
    store.resetCounts()
  }

  /// Changes the store as another program would.
  private func changeOutside(_ body: (ManagedObjectContext) throws -> Void) throws {
    let other = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store.base))
    try body(other)
    try other.save()
  }

  private func addPet(_ name: String) throws {
    try changeOutside { other in
      try other.make("Pet", name).setObject(other.object(with: ada.objectID), forKey: "owner")
    }
  }

  @Test func `a plan is saved as it is and undone in one step`() throws {
    let before = try context.picture()
    let plan = try context.deletionPlan(for: [ada.objectID])
    var changes: [ContextChange] = []
    let observation = context.observe {
      if case .changed(let change) = $0 { changes.append(change) }
    }
    try context.save(deleting: plan, actionName: "delete Ada")
    observation.cancel()
    #expect(changes.map(\.deleted) == [Set(plan.deleted)])
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
    #expect(context.undoHistory.undoActionName == "delete Ada" && !context.hasChanges)
    context.undoHistory.undo()
    try context.save()
    #expect(try context.picture() == before && context.storedPicture() == before)
    context.undoHistory.redo()
    #expect(try SaveSummary(of: context).cascaded.map(\.count) == [2])
    try context.save()
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
  }

  @Test func `a plan that deletes only a new object notifies observers and writes nothing`() throws
  {
    let bob = try context.make("Person", "Bob")
    context.processPendingChanges()
    let before = store.contents
    var deleted: Set<ObjectID> = []
    let observation = context.observe {
      if case .changed(let change) = $0 { deleted.formUnion(change.deleted) }
    }
    try context.save(deleting: context.deletionPlan(for: [bob.objectID]))
    observation.cancel()
    #expect(deleted == [bob.objectID] && !context.hasChanges && store.contents == before)
  }

  @Test func `the request of a plan is what its save writes, and changes nothing`() throws {
    let plan = try context.deletionPlan(for: [ada.objectID])
    let picture = try context.picture()
    let request = try context.saveRequest(deleting: plan)
    #expect(request.deleted.map(\.id) == plan.deleted.sorted())
    #expect(request.updated.map(\.id) == plan.nullified.flatMap(\.ids))
    #expect(request.deleted.allSatisfy { $0.version != nil })
    #expect(request.expectedDestinations[.init("pets", of: "Person")]?[ada.objectID]?.count == 2)
    #expect(try !context.hasChanges && !context.undoHistory.canUndo && context.picture() == picture)
  }

  @Test func `a plan that no longer fits the store is refused with the difference`() throws {
    let plan = try context.deletionPlan(for: [ada.objectID])
    try addPet("Ivy")
    let rex = try #require(try context.named("Rex", "Pet"))
    try changeOutside { $0.object(with: rex.objectID)["name"] = "Max" }
    let before = store.contents
    let ivy = try #require(before.first { $0.value.values == ["Ivy"] }?.key)
    let error = #expect(throws: ManagedObjectError.self) { try context.save(deleting: plan) }
    #expect(
      error?.storeError?.difference
        == SaveDifference(
          changed: [rex.objectID],
          destinations: [.init(relationship: .init("pets", of: "Person"), added: [ivy])]))
    #expect(error?.reason == .conflict)
    #expect(store.contents == before)
    #expect(!context.hasChanges && context.conflicts.isEmpty && !context.undoHistory.canUndo)
    #expect(rex["name"] == "Max")
    let new = try context.deletionPlan(for: [ada.objectID])
    #expect(new.deleted.contains(ivy))
    try context.save(deleting: new)
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
  }

  @Test func `an unsaved deletion that no longer fits is refused, then planned again and saved`()
    throws
  {
    try context.delete(ada)
    context.processPendingChanges()
    try addPet("Ivy")
    let before = store.contents
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.storeError?.difference?.destinations.map(\.added.count) == [1])
    #expect(store.contents == before && ada.isDeleted)
    #expect(try SaveSummary(of: context).cascaded.map(\.count) == [3])
    try context.save()
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
  }

  @Test func `a cascaded object that another program changed is a conflict`() throws {
    try context.delete(ada)
    context.processPendingChanges()
    let rex = try #require(store.contents.first { $0.value.values == ["Rex"] }?.key)
    try changeOutside { $0.object(with: rex)["name"] = "Max" }
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.storeError?.difference == SaveDifference(changed: [rex]))
    #expect(context.conflicts.keys.map(\.self) == [rex])
    try context.resolveConflicts(.keepMine, of: [rex])
    try context.save()
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
  }

  @Test func `undoing a saved insertion follows the delete rules, and redo brings all back`() throws
  {
    let bob = try context.make("Person", "Bob")
    try context.save()
    try changeOutside { other in
      try other.make("Pet", "Ivy").setObject(other.object(with: bob.objectID), forKey: "owner")
    }
    let before = try context.storedPicture()
    context.undoHistory.undo()
    #expect(try SaveSummary(of: context).deletedCount == 2)
    try context.save()
    #expect(try context.named("Ivy", "Pet") == nil)
    context.undoHistory.redo()
    try context.save()
    #expect(try context.storedPicture() == before)
  }

  @Test func `a plan of thousands takes a few queries`() throws {
    for number in 0..<1_000 {
      let person = try context.make("Person", "P\(number)")
      try context.make("Pet", "dog \(number)").setObject(person, forKey: "owner")
      try context.make("Order", "order \(number)").setObject(person, forKey: "customer")
    }
    try context.save()
    let before = store.contents.mapValues(\.values)
    context.trim(keeping: [])
    context.undoHistory.removeAllActions()
    store.resetCounts()
    let people = Array(try context.fetchIDs(FetchPlan(entityName: "Person")).ids)
    let plan = try context.deletionPlan(for: people)
    #expect(try SaveSummary(of: context, deleting: plan).deletedCount == 2_003)
    try context.save(deleting: plan)
    #expect(store.counts.snapshots + store.counts.destinations < 50)
    context.undoHistory.undo()
    try context.save()
    #expect(store.contents.mapValues(\.values) == before)
  }

  // MARK: Carried out once

  @Test func `a plan is carried out once for its summary, the rehearsal and the save`() throws {
    let before = try context.picture()
    let plan = try context.deletionPlan(for: [ada.objectID])
    #expect(!context.hasOutcome(of: plan))
    let summary = try SaveSummary(of: context, deleting: plan)
    #expect(context.hasOutcome(of: plan) && !context.hasChanges && !context.undoHistory.canUndo)
    let request = try context.saveRequest(deleting: plan)
    #expect(request.deleted.map(\.id) == plan.deleted.sorted())
    #expect(try SaveSummary(of: context, deleting: plan) == summary)
    try context.save(deleting: plan)
    #expect(!context.hasOutcome(of: plan))
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
    #expect(context.undoHistory.undoActionName == "Delete Ada")
    context.undoHistory.undo()
    try context.save()
    #expect(try context.picture() == before && context.storedPicture() == before)
    context.undoHistory.redo()
    try context.save()
    #expect(store.contents.keys.map(\.entityName) == ["Order"])
  }

  /// What may happen between the summary of a plan and its save.
  enum Interruption: CaseIterable {
    case setting, inserting, undoing, foreignSave, refresh, reset, switchingUndo, condition
  }

  @Test(arguments: Interruption.allCases)
  func `what a summary has carried out is dropped when anything changes`(
    between interruption: Interruption
  ) throws {
    let bob = try context.make("Person", "Bob")
    try context.save()
    var plan = try context.deletionPlan(for: [ada.objectID])
    _ = try SaveSummary(of: context, deleting: plan)
    #expect(context.hasOutcome(of: plan))
    switch interruption {
    case .setting: bob["name"] = "Rob"
    case .inserting: _ = try context.make("Order", "O2")
    case .undoing: context.undoHistory.undo()
    case .foreignSave:
      try changeOutside { $0.object(with: bob.objectID)["name"] = "Rob" }
      try context.refreshFromStore()
    case .refresh: try context.refreshFromStore()
    case .reset: context.reset()
    case .switchingUndo: context.undoHistory.isRegistrationEnabled = false
    case .condition: plan.condition = FetchPlan(entityName: "Person")
    }
    #expect(!context.hasOutcome(of: plan))
    try context.save(deleting: plan)
    let name: Value = [.setting, .foreignSave].contains(interruption) ? "Rob" : "Bob"
    let left = store.contents.values.map { $0.values[0] }
    var expected: [Value] = ["O1"]
    if interruption != .undoing { expected.append(name) }
    if interruption == .inserting { expected.append("O2") }
    #expect(Set(left) == Set(expected))
  }

  // MARK: What is known of saved deletions

  private func deleteAda() throws {
    try context.delete(ada)
    try context.save()
    store.resetCounts()
  }

  /// Inserts an object with Ada's key.
  private func insertion(named name: String) -> SaveRequest {
    SaveRequest(
      inserted: [RowChange(id: ada.objectID, values: ["name": .string(name), "age": 1])])
  }

  @Test func `an object whose deletion was saved is not read`() throws {
    try deleteAda()
    #expect(ada["name"] == .null && !ada.isAccessible)
    #expect(try context.deletionPlan(for: [ada.objectID]).direct.isEmpty)
    context.undoHistory.removeAllActions()
    #expect(ada["name"] == .null && !ada.isAccessible)
    #expect(store.counts.snapshots == 0)
  }

  @Test(arguments: [false, true])
  func `an object that others have inserted again is there after a reset`(isUndoKept: Bool) throws {
    try deleteAda()
    _ = try store.base.save(insertion(named: "Ada II"))
    if !isUndoKept { context.undoHistory.removeAllActions() }
    context.reset()
    #expect(context.object(with: ada.objectID)["name"] == "Ada II")
    #expect(try context.deletionPlan(for: [ada.objectID]).direct == [ada.objectID])
  }

  @Test(arguments: [false, true])
  func `an object that others have inserted again is there after a refresh`(isUndoKept: Bool) throws
  {
    try deleteAda()
    _ = try store.base.save(insertion(named: "Ada II"))
    try context.refreshFromStore()
    if !isUndoKept { context.undoHistory.removeAllActions() }
    #expect(context.object(with: ada.objectID)["name"] == "Ada II")
  }

  @Test func `a redo beside a new object with the same key reports the new one`() throws {
    try deleteAda()
    context.undoHistory.undo()
    // No inbox has the number: a save of some other context.
    _ = try context.persistentStoreCoordinator.save(insertion(named: "Ada II"), from: -1) { _ in
      [:]
    }
    context.processPendingChanges()
    var changes: [ContextChange] = []
    let observation = context.observe { event in
      if case .changed(let change) = event { changes.append(change) }
    }
    defer { withExtendedLifetime(observation) {} }
    context.undoHistory.redo()
    #expect(context.object(with: ada.objectID)["name"] == "Ada II")
    #expect(changes.contains { $0.changedKeys[ada.objectID]?.contains("name") == true })
  }
}
