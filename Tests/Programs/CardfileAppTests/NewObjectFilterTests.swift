import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// A live list whose predicate has a new object goes on showing that object's list after a save.
@MainActor @Suite struct NewObjectFilterTests {
  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      ToMany("pets", "Pet", inverse: "owner")
    }
    Entity("Pet") {
      Attribute("name", .string)
      ToOne("owner", "Person", inverse: "pets")
    }
  }

  @Test(
    arguments: [TestedStore.memory, .plain, .coreData],
    [
      "owner == %@", "%@ == owner", "owner IN {%@}", "NOT owner != %@",
      "ANY owner.pets.owner == %@",
    ])
  func `the list is right before and after the save`(
    kind: TestedStore, format: String
  ) throws {
    let folder = try TemporaryFolder()
    let store = try kind.makeStore(Self.model, in: folder)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    func pet(_ name: String, of owner: ManagedObject?) throws {
      let pet = try context.insert(entityName: "Pet")
      pet["name"] = .string(name)
      try pet.setObject(owner, forKey: "owner")
    }
    let other = try context.insert(entityName: "Person")
    try pet("Stray", of: nil)
    try pet("Other", of: other)
    try context.save()
    let person = try context.insert(entityName: "Person")
    try pet("Rex", of: person)
    let request = FetchRequest<ManagedObject>(
      entityName: "Pet", predicate: try FetchPredicate(format: format, person.objectID),
      sortDescriptors: [FetchSortDescriptor("name")])
    let controller = FetchedResultsController(fetchRequest: request, context: context)
    try controller.performFetch()
    func names() -> [String] {
      controller.fetchedObjects.map { $0.map { $0["name"].description } } ?? []
    }
    #expect(names() == ["Rex"])
    try context.save()
    #expect(names() == ["Rex"])
    try pet("Tom", of: person)
    try pet("Kim", of: other)
    context.processPendingChanges()
    #expect(names() == ["Rex", "Tom"])
    try context.save()
    #expect(names() == ["Rex", "Tom"])
    try controller.performFetch()
    #expect(names() == ["Rex", "Tom"])
  }
}
