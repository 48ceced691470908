import FetchedResults
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Permanent IDs before a save` {
  // Core Data: NSManagedObjectContext.obtainPermanentIDs(for:).
  @Test(arguments: stores) func `a new object gets its permanent ID before it is saved`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let new = try office.context.make("New")
    try office.context.obtainPermanentIDs(for: [new])
    let id = new.objectID
    #expect(!id.isTemporary && new.isInserted && new["name"] == "New")
    #expect(office.context.insertedObjects == [new])
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
    try office.context.save()
    #expect(new.objectID == id && !new.hasChanges)
    #expect(try office.anotherContext().named("New").objectID == id)
  }

  // Core Data: NSManagedObjectContext.obtainPermanentIDs(for:): one instance for one object.
  @Test(arguments: stores) func `both IDs lead to the same instance`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    let temporary = new.objectID
    try office.context.obtainPermanentIDs(for: [new])
    #expect(office.context.object(with: temporary) === new)
    #expect(office.context.object(with: new.objectID) === new)
    #expect(try office.person("New") === new)
  }

  // Core Data: NSManagedObjectContext.obtainPermanentIDs(for:): objects with one are left out.
  @Test(arguments: stores) func `an object with a permanent ID keeps it`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, new) = (try office.person("Ada"), try office.context.make("New"))
    let id = ada.objectID
    try office.context.obtainPermanentIDs(for: [ada, new, new])
    let second = new.objectID
    try office.context.obtainPermanentIDs(for: [ada, new])
    #expect(ada.objectID == id && new.objectID == second && !ada.hasChanges)
  }

  // Core Data: permanent IDs are unique in the store.
  @Test(arguments: stores) func `no other object gets an ID that was obtained`(kind: Kind) throws {
    let office = try Office(kind)
    let news = try (0..<3).map { try office.context.make("\($0)") }
    try office.context.obtainPermanentIDs(for: news)
    let other = office.anotherContext()
    let foreign = try (0..<3).map { try other.make("other \($0)") }
    try other.save()
    try office.context.save()
    #expect(Set((news + foreign).map(\.objectID)).count == 6)
    #expect(try office.anotherContext().names().count == 9)
  }

  // Core Data: relationships hold while IDs change.
  @Test(arguments: stores) func `relationships of all kinds stay`(kind: Kind) throws {
    let office = try Office(kind)
    let (one, two) = (try office.context.make("1"), try office.context.make("2"))
    try one.setObject(two, forKey: "manager")
    try one.setObject(office.context.named("Acme", "Company"), forKey: "employer")
    try office.context.named("Rex", "Pet").setObject(two, forKey: "owner")
    try two.add(office.context.named("red", "Tag"), forKey: "tags")
    try office.person("Ada").add(one, forKey: "friends")
    for name in ["z", "y", "x"] {
      try one.add(office.context.make(name, "Tag"), forKey: "favourites")
    }
    try one.add(office.context.named("blue", "Tag"), forKey: "favourites", at: 1)
    try office.context.obtainPermanentIDs(for: [one, two] + one.objects(forKey: "favourites"))
    func check(_ one: ManagedObject, _ two: ManagedObject) {
      #expect(one.names("manager") == ["2"] && two.names("reports") == ["1"])
      #expect(one.names("employer") == ["Acme"] && two.names("pets") == ["Rex"])
      #expect(two.names("tags") == ["red"] && one.names("friends") == ["Ada"])
      #expect(one.names("favourites") == ["z", "blue", "y", "x"])
    }
    check(one, two)
    try office.context.save()
    let other = office.anotherContext()
    check(try other.named("1"), try other.named("2"))
    #expect(try other.named("Acme", "Company").names("employees").sorted() == ["1", "Ada", "Bob"])
  }

  // Core Data: obtaining IDs is no change.
  @Test(arguments: stores) func `undo, redo and deletion work with the new ID`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    try office.context.obtainPermanentIDs(for: [new])
    office.context.undoHistory.undo()
    #expect(!office.context.hasChanges)
    office.context.undoHistory.redo()
    #expect(try office.person("New")["age"] == 18)
    try office.context.save()
    #expect(try office.anotherContext().names().contains("New"))
    let gone = try office.context.make("Gone")
    try office.context.obtainPermanentIDs(for: [gone])
    try office.context.delete(gone)
    try office.context.save()
    #expect(try !office.anotherContext().names().contains("Gone"))
  }

  // Core Data: a fetched results controller identifies objects by their IDs.
  @Test(arguments: stores) func `a list keeps the object at its index`(kind: Kind) throws {
    let office = try Office(kind)
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "Person", sortDescriptors: [.init("name")]), context: office.context)
    try controller.performFetch()
    let new = try office.context.make("Bert")
    try office.context.obtainPermanentIDs(for: [new])
    #expect(controller.fetchedObjects?.map { $0.string("name") } == ["Ada", "Bert", "Bob", "Cyd"])
    #expect(controller.indexPath(for: new.objectID)?.row == 1)
    try office.context.save()
    #expect(controller.fetchedObjects?.map(\.objectID).contains(new.objectID) == true)
    #expect(controller.count == 4)
  }
}
