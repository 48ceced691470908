import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Saving changes` {
  // Core Data: NSManagedObjectContext.hasChanges.
  @Test(arguments: stores) func `a context has changes until they are saved`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(!office.context.hasChanges)
    try office.person("Ada")["age"] = 1
    #expect(office.context.hasChanges)
    try office.context.save()
    #expect(!office.context.hasChanges)
  }

  // Core Data: NSManagedObjectContext.save() without changes does nothing.
  @Test(arguments: stores) func `a save without changes does nothing`(kind: Kind) throws {
    let office = try Office(kind)
    var events = 0
    let observation = office.context.observe { if case .didSave = $0 { events += 1 } }
    try office.context.save()
    #expect(events == 0)
    observation.cancel()
  }

  // Core Data: NSManagedObjectContext.save() is one transaction.
  @Test(arguments: stores) func `a save that fails writes nothing`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 1
    try office.context.make("New")
    _ = try office.context.insert(entityName: "Person")  // has no name
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(try office.stored("Ada", "age") == 36)
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectContext.save(): after an error the changes are still there.
  @Test(arguments: stores) func `a save that fails keeps every change`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    let nameless = try office.context.insert(entityName: "Person")
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(ada["age"] == 1 && nameless.isInserted && nameless.objectID.isTemporary)
    nameless["name"] = "Nemo"
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd", "Nemo"])
  }

  // Core Data: a save that the store refuses keeps every change too.
  @Test(arguments: stores) func `a save that the store refuses keeps every change`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    (ada["code"], bob["code"]) = ("x", "x")
    try office.context.delete(office.person("Cyd"))
    let new = try office.context.make("New")
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(new.isInserted && ada["code"] == "x" && office.context.deletedObjects.count == 1)
    bob["code"] = "y"
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "New"])
  }

  // Core Data: NSManagedObjectContextDidSave: other contexts get what was saved.
  @Test(arguments: stores) func `another context reads what was saved`(kind: Kind) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    let ada = try other.named("Ada")
    #expect(ada["age"] == 36)
    try office.person("Ada")["age"] = 1
    try office.context.save()
    other.processPendingChanges()
    #expect(ada["age"] == 1 && !ada.hasChanges)
  }

  // Core Data: NSManagedObjectContext.save() again saves what has changed since.
  @Test(arguments: stores) func `one object is saved again and again`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    for age in 1...4 {
      ada["age"] = .integer(Int64(age))
      try office.context.save()
    }
    #expect(try office.stored("Ada", "age") == 4)
  }

  // Core Data: NSManagedObjectContext.save(): objects that were saved once are updated then.
  @Test(arguments: stores) func `a new object is changed and deleted after its first save`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    let new = try office.context.make("New")
    try office.context.save()
    new["age"] = 2
    try office.context.save()
    #expect(try office.stored("New", "age") == 2)
    try office.context.delete(new)
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectContext.save() of relationships only.
  @Test(arguments: stores) func `a save of links only is written`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Bob").add(office.context.named("blue", "Tag"), forKey: "tags")
    try office.context.save()
    #expect(try office.anotherContext().named("blue", "Tag").names("people") == ["Bob"])
  }

  // Core Data: NSManagedObjectContext.insertedObjects, updatedObjects, deletedObjects.
  @Test(arguments: stores) func `a context counts what a save would write`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("New")
    try office.person("Ada")["age"] = 1
    try office.context.delete(office.person("Cyd"))
    #expect(office.context.changeCounts == (1, 1, 1))
  }

  // Core Data: a read-only store refuses changes.
  @Test func `a read-only store refuses changes with its reason`() throws {
    let store = InMemoryStore(model: Office.model, readOnlyReason: "it is an exhibit")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let error = try managedObjectError { _ = try context.insert(entityName: "Person") }
    #expect(error.reason == .readOnly && error.detail == "it is an exhibit")
  }

  // Core Data: NSManagedObjectContext.save(): values of many objects.
  @Test(arguments: stores) func `a thousand objects are saved in one transaction`(kind: Kind) throws
  {
    let office = try Office(kind, isEmpty: true)
    for number in 0..<1_000 {
      try office.context.make("\(number)")["age"] = .integer(Int64(number))
    }
    try office.context.save()
    let other = office.anotherContext()
    #expect(try other.count(for: FetchRequest<ManagedObject>(entityName: "Person")) == 1_000)
    #expect(try other.all("Person").reduce(0) { $0 + ($1.integer("age") ?? 0) } == 499_500)
  }

  // Not in Core Data: a save may be rehearsed.
  @Test(arguments: stores) func `a rehearsed save changes nothing`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 1
    _ = try office.context.rehearseSave()
    #expect(office.context.hasChanges)
    #expect(try office.stored("Ada", "age") == 36)
  }
}
