import Foundation
import ObjectModel
import Testing

@testable import ManagedObjects

/// Predicates with objects, rules of attributes, and names in a store in memory.
struct PredicateObjectTests {
  @Test func `a predicate with a new object goes on meaning it after a save`() throws {
    let context = makeContext()
    let (ada, bob) = (try context.make("Person", "Ada"), try context.make("Person", "Bob"))
    let temporary = ada.objectID
    let formats: [(FetchPredicate, Set<String>)] = [
      (try FetchPredicate(format: "SELF == %@", temporary), ["Ada"]),
      (try FetchPredicate(format: "SELF == %@", ada), ["Ada"]),
      (try FetchPredicate(format: "SELF != %@", temporary), ["Bob"]),
      (try FetchPredicate(format: "SELF IN %@", [temporary, bob.objectID]), ["Ada", "Bob"]),
      (try FetchPredicate(format: "SELF == %@", temporary.uriRepresentation), ["Ada"]),
    ]
    func check(_ context: ManagedObjectContext) throws {
      for (predicate, names) in formats {
        let request = FetchRequest<ManagedObject>(entityName: "Person", predicate: predicate)
        let found = try context.fetch(request).map { $0["name"].description }
        #expect(Set(found) == names, "\(predicate)")
      }
    }
    try check(context)
    try context.save()
    #expect(!ada.objectID.isTemporary)
    try check(context)
    let late = try FetchPredicate(format: "SELF == %@", temporary)
    let request = FetchRequest<ManagedObject>(entityName: "Person", predicate: late)
    #expect(try context.fetch(request) == [ada])
    try check(ManagedObjectContext(coordinator: context.persistentStoreCoordinator))
  }

  @Test(arguments: [
    ("SELF != 'SELF'", "SELF", false), ("SELF != 'SELF'", "value", true),
    ("SELF CONTAINS 'SELF'", "MYSELF", true), ("SELF == \"SELFISH\"", "SELFISH", true),
    ("length > 3 AND NOT SELF BEGINSWITH 'SELF '", "SELF x", false),
    ("SELF.length == 2", "ab", true),
  ])
  func `SELF in the text of a rule is text`(rule: String, value: String, isMet: Bool) throws {
    let parsed = try #require(ValueRule(ValidationRule(rule, warning: "")))
    #expect(try parsed.allows(.string(value)) == isMet)
    #expect(parsed.text == rule)
  }

  @Test(arguments: [
    FetchPlan(entityName: "Person", sortDescriptors: [FetchSortDescriptor("nmae")]),
    FetchPlan(entityName: "Person", sortDescriptors: [FetchSortDescriptor("pets.name")]),
    FetchPlan(entityName: "Person", sortDescriptors: [FetchSortDescriptor("pets")]),
    FetchPlan(entityName: "Persn"),
  ])
  func `a store in memory refuses unknown names`(plan: FetchPlan) {
    let store = makeContext().persistentStoreCoordinator.store
    #expect(throws: StoreError.self) { try store.fetch(plan, control: nil) }
    #expect(throws: StoreError.self) { try store.count(plan, control: nil) }
  }

  @Test func `a store in memory refuses a predicate for another entity`() throws {
    let store = makeContext().persistentStoreCoordinator.store
    let predicate = try FetchPredicate(format: "NOT age > 5").validated(
      forEntity: "Person", in: store.model)
    let plan = FetchPlan(entityName: "Pet", predicate: predicate)
    let error = #expect(throws: StoreError.self) { try store.fetch(plan, control: nil) }
    #expect(error?.reason == .unknownName)
  }
}
