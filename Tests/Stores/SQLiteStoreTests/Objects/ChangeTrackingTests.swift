import FetchedResults
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct ChangeTrackingTests {
  private static let model = ManagedObjectModel {
    Entity("Owner") {
      Attribute("name", .string)
      ToMany("pets", "Pet", inverse: "owner")
      ToMany("tags", "Tag", inverse: "owners")
    }
    Entity("Pet") {
      Attribute("name", .string)
      ToOne("owner", "Owner", inverse: "pets")
      ToMany("toys", "Toy", inverse: "pet", deleteRule: .cascade)
    }
    Entity("Toy") {
      Attribute("name", .string)
      ToOne("pet", "Pet", inverse: "toys")
    }
    Entity("Tag") {
      Attribute("name", .string)
      ToMany("owners", "Owner", inverse: "tags")
    }
  }

  /// Ada with a cat that has a toy, and a red tag; Bob with nothing.
  private func store(_ kind: TestedStore) throws -> (ObjectStore, ManagedObjectContext) {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let ada = try context.make("Owner", "Ada")
    try context.make("Owner", "Bob")
    let cat = try context.make("Pet", "cat")
    try cat.setObject(ada, forKey: "owner")
    try context.make("Toy", "ball").setObject(cat, forKey: "pet")
    try ada.add(context.make("Tag", "red"), forKey: "tags")
    try context.save()
    return (store, store.context())
  }

  @Test(arguments: TestedStore.allCases, ["pets", "tags"])
  func `the owner of a to-many changes with a deletion, its undo and its redo`(
    kind: TestedStore, key: String
  ) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    let ada = try context.named("Ada", "Owner")
    let member = try #require(store.context().named("Ada", "Owner").objectIDs(forKey: key).first)
    try context.delete([member])
    var change = try #require(context.processPendingChanges())
    #expect(change.updated == [ada.objectID] && change.changedKeys[ada.objectID] == [key])
    #expect(ada.isUpdated && ada.hasChanges && ada.changedKeys == [key])
    #expect(ada.changedValues() == [key: ""] && context.updatedObjectIDs == [ada.objectID])
    context.undoHistory.undo()
    #expect(!ada.hasChanges && ada.changedKeys.isEmpty && ada.count(forKey: key) == 1)
    context.undoHistory.redo()
    #expect(ada.changedKeys == [key])
    let observed = Box<ContextChange?>(nil)
    let observation = context.observe {
      if case .didSave(let saved) = $0 { observed.value = saved }
    }
    defer { observation.cancel() }
    try context.save()
    #expect(observed.value?.updated == [ada.objectID])
    #expect(observed.value?.changedKeys[ada.objectID] == [key])
    #expect(!ada.hasChanges)
    context.undoHistory.undo()
    change = try #require(observed.value)
    #expect(ada.isUpdated && ada.count(forKey: key) == 1)
  }

  @Test(arguments: TestedStore.allCases)
  func `the owner changes with a deletion in another context too`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    let ada = try context.named("Ada", "Owner")
    #expect(ada.count(forKey: "pets") == 1)
    let other = store.context()
    try other.delete(other.named("cat", "Pet"))
    try other.save()
    let change = try #require(context.processPendingChanges())
    #expect(change.refreshed.contains(ada.objectID))
    #expect(change.changedKeys[ada.objectID] == ["pets"] && ada.count(forKey: "pets") == 0)
  }

  @Test(arguments: TestedStore.allCases)
  func `a change of links is a change of both objects`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    let (bob, red) = (try context.named("Bob", "Owner"), try context.named("red", "Tag"))
    try bob.add(red, forKey: "tags")
    #expect(bob.isUpdated && bob.hasChanges && bob.changedKeys == ["tags"])
    #expect(bob.changedValues() == ["tags": .string(red.objectID.uriRepresentation)])
    #expect(red.isUpdated && red.changedKeys == ["owners"])
    #expect(context.updatedObjectIDs == [bob.objectID, red.objectID].sorted())
    #expect(context.changeCounts == (0, 2, 0))
    bob["name"] = "Robert"
    #expect(bob.changedKeys == ["name", "tags"])
    try bob.remove(red, forKey: "tags")
    #expect(bob.changedKeys == ["name"] && !red.isUpdated)
    let cat = try context.named("cat", "Pet")
    try cat.setObject(bob, forKey: "owner")
    #expect(bob.changedKeys == ["name", "pets"])
    #expect(try context.named("Ada", "Owner").changedKeys == ["pets"])
    #expect(cat.changedValues() == ["owner": .string(bob.objectID.uriRepresentation)])
    try context.save()
    #expect(!bob.hasChanges && context.updatedObjects.isEmpty)
  }

  @Test(
    arguments: TestedStore.allCases,
    [
      "pets.@count > 0", "ANY pets.name == 'cat'", "ANY tags.name == 'red'", "tags.@count == 1",
      "SUBQUERY(pets, $p, $p.toys.@count > 0).@count > 0", "ANY pets.toys.name == 'ball'",
    ])
  func `a list follows the deletion of related objects`(kind: TestedStore, format: String)
    throws
  {
    let (store, context) = try store(kind)
    let entityName = format.contains("tags") ? "Tag" : format.contains("toys") ? "Toy" : "Pet"
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "Owner", predicate: try FetchPredicate(format: format),
        sortDescriptors: [FetchSortDescriptor("name")]),
      context: context)
    try controller.performFetch()
    func names() -> [String] { controller.fetchedObjects?.map { $0.string("name") } ?? [] }
    #expect(names() == ["Ada"])
    let ids = try store.context().fetch(FetchRequest<ManagedObject>(entityName: entityName))
      .map(\.objectID)
    try context.delete(ids)
    context.processPendingChanges()
    #expect(names().isEmpty)
    context.undoHistory.undo()
    #expect(names() == ["Ada"])
    context.undoHistory.redo()
    try context.save()
    #expect(names().isEmpty)
    context.undoHistory.undo()
    #expect(names() == ["Ada"])
    try context.save()
    let other = store.context()
    try other.delete(ids)
    try other.save()
    context.processPendingChanges()
    #expect(names().isEmpty)
  }
}

/// A variable that closures share.
final class Box<Content> {
  var value: Content
  init(_ value: Content) { self.value = value }
}
