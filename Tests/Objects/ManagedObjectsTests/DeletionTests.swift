import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

struct DeletionTests {
  private let store = InstrumentedStore(InMemoryStore(model: peopleModel, identifier: "test"))
  private let context: ManagedObjectContext
  private let ada: ManagedObject

  /// Ada has two pets with a toy each, three orders, an employer and a passport.
  init() throws {
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    ada = try context.make("Person", "Ada")
    for name in ["Rex", "Tom"] {
      let pet = try context.make("Pet", name)
      try ada.add(pet, forKey: "pets")
      try pet.add(try context.make("Toy", "\(name)'s ball"), forKey: "toys")
    }
    for name in ["O1", "O2", "O3"] {
      try ada.add(try context.make("Order", name), forKey: "orders")
    }
    try ada.setObject(try context.make("Company", "Engines"), forKey: "employer")
    try ada.setObject(try context.make("Passport", "UK1"), forKey: "passport")
    try context.save()
    context.trim(keeping: [])
    store.resetCounts()
  }

  @Test func `a plan follows all delete rules without changing anything`() throws {
    let plan = try context.deletionPlan(for: [ada.objectID, ada.objectID])
    #expect(plan.direct == [ada.objectID])
    #expect(
      plan.cascaded.map(\.relationship.description).sorted()
        == ["Person.passport", "Person.pets", "Pet.toys"])
    #expect(plan.cascaded.map(\.ids.count).sorted() == [1, 2, 2])
    #expect(plan.nullified.map(\.relationship) == [.init("customer", of: "Order")])
    #expect(plan.nullified.first?.ids.count == 3)
    #expect(plan.denied.isEmpty)
    #expect(!context.hasChanges)
  }

  @Test func `a cycle of cascades ends`() throws {
    let toy = try #require(try context.all("Toy").first)
    let plan = try context.deletionPlan(for: [toy.objectID])
    #expect(plan.deleted.count == 2)
    #expect(plan.cascaded.map(\.relationship) == [.init("pet", of: "Toy")])
  }

  @Test func `delete rules are followed when changes are processed, and all of it is saved`() throws
  {
    try context.delete(ada)
    #expect(ada.isDeleted)
    let change = try #require(context.processPendingChanges())
    #expect(change.deleted.count == 6)
    #expect(change.updated.filter { $0.entityName == "Order" }.count == 3)
    try context.save()
    #expect(
      store.contents.keys.map(\.entityName).sorted() == ["Company"]
        + Array(repeating: "Order", count: 3))
    #expect(try context.all("Order").allSatisfy { $0.object(forKey: "customer") == nil })
    #expect(try context.named("Engines", "Company")?.count(forKey: "employees") == 0)
    #expect(context.undoHistory.undoActionName == "Delete Ada")
    context.undoHistory.undo()
    try context.save()
    #expect(try context.all("Order").allSatisfy { $0.object(forKey: "customer") === ada })
    #expect(ada.objects(forKey: "pets").map(\.displayName) == ["Rex", "Tom"])
    #expect(!context.hasChanges)
  }

  @Test func `a denied deletion makes the save fail until its cause is deleted`() throws {
    let invoice = try context.make("Invoice", "I1")
    try invoice.setObject(ada, forKey: "customer")
    try context.save()
    let plan = try context.deletionPlan(for: [ada.objectID])
    #expect(
      plan.denied == [
        .init(
          objectID: ada.objectID, relationship: .init("invoices", of: "Person"),
          destinations: [invoice.objectID], destinationEntityName: "Invoice")
      ])
    #expect(try context.deletionPlan(for: [ada.objectID, invoice.objectID]).denied.isEmpty)
    try context.delete(ada)
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .denied && error?.objectIDs == [ada.objectID])
    #expect(
      error?.description.contains("Ada: Person.invoices delete rule deny: still has 1 Invoice")
        == true)
    try context.delete(invoice)
    try context.save()
    #expect(try context.all("Invoice").isEmpty)
  }

  @Test func `a summary shows the same for a planned deletion as for an unsaved one`() throws {
    let orphan = try context.make("Order", "O4")
    try #require(try context.named("Engines", "Company")).setValue("Engines Ltd", forKey: "name")
    let marked = try SaveSummary(of: context, deleting: context.deletionPlan(for: [ada.objectID]))
    #expect(marked.deleted.map(\.names) == [["Ada"]])
    #expect(marked.deletedCount == 6)
    #expect(
      marked.cascaded.contains { $0.relationship == .init("pets", of: "Person") && $0.count == 2 })
    #expect(marked.nullified.map(\.relationship) == [.init("customer", of: "Order")])
    #expect(marked.nullified.map(\.count) == [3])
    #expect(marked.changed.map(\.names) == [["Engines Ltd"]])
    #expect(marked.changed.map(\.changedKeys) == [["name"]])
    #expect(marked.inserted.flatMap(\.ids) == [orphan.objectID])
    #expect(!ada.isDeleted)
    try context.delete(ada)
    let deleted = try SaveSummary(of: context)
    #expect(deleted.deleted == marked.deleted)
    #expect(Set(deleted.cascaded) == Set(marked.cascaded))
    #expect(deleted.nullified == marked.nullified)
    #expect(deleted.changed == marked.changed)
    #expect(deleted.inserted == marked.inserted)
    try context.save()
    #expect(try SaveSummary(of: context).isEmpty)
  }

  @Test func `thousands are deleted in a few queries`() throws {
    for number in 0..<1_000 {
      let person = try context.make("Person", "P\(number)")
      try context.make("Pet", "dog \(number)").setObject(person, forKey: "owner")
      try context.make("Order", "order \(number)").setObject(person, forKey: "customer")
    }
    try context.save()
    context.trim(keeping: [])
    store.resetCounts()
    let people = Array(try context.fetchIDs(FetchPlan(entityName: "Person")).ids)
    #expect(try context.deletionPlan(for: people).deleted.count == 2_007 - 1)
    try context.delete(people)
    try context.save()
    #expect(store.counts.snapshots + store.counts.destinations < 50)
    #expect(try context.all("Pet").isEmpty)
    context.undoHistory.undo()
    try context.save()
    #expect(try context.all("Pet").count == 1_002)
    #expect(try context.all("Order").count { $0.object(forKey: "customer") == nil } == 0)
  }
}
