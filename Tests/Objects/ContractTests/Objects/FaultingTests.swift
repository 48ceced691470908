import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Faulting and uniquing` {
  // Core Data: NSManagedObjectContext.object(with:): a fault, without reading the store.
  @Test(arguments: stores) func `an object by its ID is a fault until a value is read`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let id = try office.person("Ada").objectID
    let context = office.anotherContext()
    let ada = context.object(with: id)
    #expect(ada.isFault)
    #expect(ada["age"] == 36)
    #expect(!ada.isFault)
  }

  // Core Data: NSFetchRequest.returnsObjectsAsFaults: rows are read when they are used.
  @Test(arguments: stores) func `fetched objects are faults`(kind: Kind) throws {
    let office = try Office(kind)
    let people = try office.context.all("Person")
    #expect(people.count == 3 && people.allSatisfy(\.isFault))
  }

  // Core Data: NSFetchRequest.fetchBatchSize: a batch of rows is read at once.
  @Test(arguments: stores) func `reading one object fires the faults of its batch`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.fetchBatchSize = 2
    let people = try office.context.fetch(request)
    _ = people[0]["age"]
    #expect(people.map(\.isFault) == [false, false, true])
  }

  // Core Data: NSManagedObjectContext: one object of a context for each row (uniquing).
  @Test(arguments: stores) func `two fetches return the same instances`(kind: Kind) throws {
    let office = try Office(kind)
    let (first, second) = (try office.context.all("Person"), try office.context.all("Person"))
    #expect(first == second)
  }

  // Core Data: NSManagedObjectContext: uniquing holds for relationships too.
  @Test(arguments: stores) func `a relationship leads to the instance that a fetch returns`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    #expect(bob.object(forKey: "manager") === ada && ada.objects(forKey: "reports") == [bob])
  }

  // Core Data: NSManagedObjectContext: each context has objects of its own.
  @Test(arguments: stores) func `two contexts have different objects with equal IDs`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (ada, other) = (try office.person("Ada"), try office.anotherContext().named("Ada"))
    #expect(ada !== other && ada.objectID == other.objectID)
  }

  // Core Data: NSManagedObjectContext.existingObject(with:): it throws if there is no such row.
  @Test(arguments: stores) func `existingObject throws for an object that is not in the store`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let id = try office.person("Ada").objectID
    let gone = ObjectID(
      storeIdentifier: id.storeIdentifier, entityName: "Person", key: .integer(999_999))
    let error = try managedObjectError { _ = try office.context.existingObject(with: gone) }
    #expect(error.reason == .gone)
    #expect(try office.context.existingObject(with: id)["name"] == "Ada")
  }

  // Core Data: NSManagedObjectContext.existingObject(with:): it is read, and no fault.
  @Test(arguments: stores) func `existingObject returns an object that is no fault`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let id = try office.person("Ada").objectID
    let context = office.anotherContext()
    #expect(try !context.existingObject(with: id).isFault)
  }

  // Core Data: NSManagedObjectContext.registeredObject(for:): nil if it is not registered.
  @Test(arguments: stores) func `registeredObject is nil for an object that nobody references`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let id = try office.person("Ada").objectID
    let context = office.anotherContext()
    #expect(context.registeredObject(for: id) == nil)
    let ada = context.object(with: id)
    #expect(context.registeredObject(for: id) === ada)
  }

  // Core Data: NSManagedObjectContext: unchanged objects are not retained.
  @Test(arguments: stores) func `an unchanged object is released with its last reference`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    weak let ada = try office.person("Ada")
    #expect(ada == nil)
  }

  // Core Data: NSManagedObjectContext: changed objects are retained until they are saved.
  @Test(arguments: stores) func `a changed object is retained until it is saved`(kind: Kind) throws
  {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 37
    let id = try #require(office.context.updatedObjectIDs.first)
    weak let ada = office.context.registeredObject(for: id)
    #expect(ada?["age"] == 37)
    try office.context.save()
    #expect(ada == nil)
  }

  // Core Data: NSManagedObjectContext.refresh(_:mergeChanges: false): a fault, changes discarded.
  @Test(arguments: stores) func `refreshing without merging makes a fault and discards changes`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    office.context.refresh(ada, mergeChanges: false)
    #expect(ada.isFault && !ada.hasChanges)
    #expect(ada["age"] == 36)
  }

  // Core Data: NSManagedObjectContext.refresh(_:mergeChanges: true): changes are laid over the
  // values of the store.
  @Test(arguments: stores) func `refreshing with merging keeps changes over the store's values`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    try office.saveElsewhere { try $0.named("Ada")["code"] = "a" }
    office.context.refresh(ada, mergeChanges: true)
    #expect(ada["age"] == 37 && ada["code"] == "a" && ada.changedKeys == ["age"])
  }

  // Core Data: NSManagedObjectContext.refreshAllObjects/refresh: the next read sees the store.
  @Test(arguments: stores) func `a refreshed object reads what the store has now`(kind: Kind) throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    #expect(ada["age"] == 36)
    try office.saveElsewhere { try $0.named("Ada")["age"] = 50 }
    office.context.refresh(ada, mergeChanges: false)
    #expect(ada["age"] == 50)
  }

  // Core Data: NSManagedObjectContext.reset(): everything is forgotten.
  @Test(arguments: stores) func `reset discards changes and cached rows`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    try office.context.make("New")
    try office.context.delete(office.person("Bob"))
    office.context.reset()
    #expect(!office.context.hasChanges && !office.context.undoHistory.canUndo)
    #expect(try office.context.names() == ["Ada", "Bob", "Cyd"])
    #expect(try office.person("Ada")["age"] == 36)
  }

  // Core Data: NSManagedObjectContext.shouldDeleteInaccessibleFaults: a fault whose row is gone
  // reads as nil.
  @Test(arguments: stores) func `a fault whose row was deleted reads as null`(kind: Kind) throws {
    let office = try Office(kind)
    let id = try office.person("Bob").objectID
    try office.saveElsewhere { try $0.delete($0.named("Bob")) }
    let bob = office.anotherContext().object(with: id)
    #expect(bob["name"].isNull && !bob.isAccessible)
    #expect(throws: ManagedObjectError.self) { try bob.setValue("B", forKey: "name") }
  }

  // Core Data: NSManagedObject.objectIDs(forRelationshipNamed:): the objects stay faults.
  @Test(arguments: stores) func `reading a relationship leaves its objects faults`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    let ada = try #require(bob.object(forKey: "manager"))
    let fresh = office.anotherContext()
    let manager = try #require(fresh.object(with: bob.objectID).object(forKey: "manager"))
    #expect(manager.isFault && manager.objectID == ada.objectID)
  }

  // Core Data: NSFetchRequest.relationshipKeyPathsForPrefetching: their objects are read too.
  @Test(arguments: stores) func `prefetching fires the faults of a relationship's objects`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.relationshipKeyPathsForPrefetching = ["employer", "pets.toys"]
    let people = try office.context.fetch(request)
    let ada = try #require(people.first { $0["name"] == "Ada" })
    #expect(ada.object(forKey: "employer")?.isFault == false)
    let toys = ada.objects(forKey: "pets").flatMap { $0.objects(forKey: "toys") }
    #expect(toys.count == 2 && toys.allSatisfy { !$0.isFault })
  }

  // Core Data: NSFetchRequest.relationshipKeyPathsForPrefetching: an unknown one is an error.
  @Test(arguments: stores) func `prefetching an unknown relationship is an error`(kind: Kind) throws
  {
    let office = try Office(kind)
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.relationshipKeyPathsForPrefetching = ["boss"]
    #expect(throws: ManagedObjectError.self) { try office.context.fetch(request) }
  }

  // Core Data: NSManagedObject.managedObjectContext: nil once the context is gone.
  @Test(arguments: stores) func `an object without its context reads as null`(kind: Kind) throws {
    let office = try Office(kind)
    var context: ManagedObjectContext? = ManagedObjectContext(coordinator: office.coordinator)
    let ada = try #require(try context?.named("Ada"))
    #expect(ada["age"] == 36)
    context = nil
    #expect(ada.managedObjectContext == nil && ada["age"].isNull && ada.isFault)
    #expect(throws: ManagedObjectError.self) { try ada.setValue(1, forKey: "age") }
  }

  // Core Data: NSManagedObjectID.uriRepresentation(), managedObjectID(forURIRepresentation:).
  @Test(arguments: stores) func `an ID survives as text`(kind: Kind) throws {
    let office = try Office(kind)
    let id = try office.person("Ada").objectID
    let read = try #require(ObjectID(uriRepresentation: id.uriRepresentation))
    #expect(read == id)
    #expect(try office.anotherContext().existingObject(with: read).objectID == id)
  }

  // Core Data: NSManagedObjectContext.object(with:): an ID of no row gives a fault all the same.
  @Test(arguments: stores) func `object(with:) returns a fault for an ID without a row`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let id = ObjectID(
      storeIdentifier: office.coordinator.store.identifier, entityName: "Person",
      key: .integer(999_999))
    let nobody = office.context.object(with: id)
    #expect(nobody.objectID == id && !nobody.isAccessible && nobody["age"].isNull)
  }
}
