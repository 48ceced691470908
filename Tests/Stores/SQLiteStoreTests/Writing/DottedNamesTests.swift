import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Entities and relationships whose names contain dots, as a database that somebody else made may have.
struct DottedNamesTests {
  private static let model = ManagedObjectModel {
    Entity("a.b") {
      Attribute("name", .string)
      ToMany("x.pets", "c.d", inverse: "x.owner", deleteRule: .cascade)
      ToMany("x.orders", "e.f", inverse: "x.customer", deleteRule: .nullify)
      ToMany("x.invoices", "g.h", inverse: "x.customer", deleteRule: .deny)
    }
    Entity("c.d") {
      Attribute("name", .string)
      ToOne("x.owner", "a.b", inverse: "x.pets")
    }
    Entity("e.f") {
      Attribute("name", .string)
      ToOne("x.customer", "a.b", inverse: "x.orders")
    }
    Entity("g.h") {
      Attribute("name", .string)
      ToOne("x.customer", "a.b", inverse: "x.invoices")
    }
  }

  @Test(arguments: [StoreKind.memory, .created])
  func `delete rules are followed`(kind: StoreKind) throws {
    let database = try TemporaryDatabase()
    let store: any PersistentStore =
      kind == .memory
      ? InMemoryStore(model: Self.model)
      : try SQLiteStore.create(path: database.path, model: Self.model)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let ada = try context.insert(entityName: "a.b")
    for (entityName, key) in [("c.d", "x.owner"), ("e.f", "x.customer"), ("g.h", "x.customer")] {
      try context.insert(entityName: entityName).setObject(ada, forKey: key)
    }
    try context.save()
    let plan = try context.deletionPlan(for: [ada.objectID])
    #expect(plan.cascaded.map(\.relationship) == [RelationshipName("x.pets", of: "a.b")])
    #expect(plan.nullified.map(\.relationship) == [RelationshipName("x.customer", of: "e.f")])
    #expect(plan.denied.map(\.relationship) == [RelationshipName("x.invoices", of: "a.b")])
    let summary = try SaveSummary(of: context, deleting: plan)
    #expect(summary.denied.map(\.relationship) == plan.denied.map(\.relationship))
    try context.delete(ada)
    #expect(throws: ManagedObjectError.self) { try context.save() }
    try context.delete(context.fetch(FetchRequest<ManagedObject>(entityName: "g.h"))[0])
    try context.save()
    let left = try context.fetch(FetchRequest<ManagedObject>(entityName: "e.f"))
    #expect(left.map { $0.object(forKey: "x.customer") == nil } == [true])
    for entityName in ["a.b", "c.d", "g.h"] {
      #expect(try context.count(for: FetchPlan(entityName: entityName)) == 0)
    }
  }
}
