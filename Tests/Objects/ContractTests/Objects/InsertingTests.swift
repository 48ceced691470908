import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Inserting objects` {
  // Core Data: NSEntityDescription.insertNewObject(forEntityName:into:): the new object has the
  // default values of its entity.
  @Test(arguments: stores) func `a new object has the default values of its entity`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.context.insert(entityName: "Person")
    #expect(ada["age"] == 18 && ada["isActive"] == .bool(true))
  }

  // Core Data: NSAttributeDescription.defaultValue: nil if there is none.
  @Test(arguments: stores) func `an attribute without a default value is null at first`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.context.insert(entityName: "Person")
    #expect(ada["name"].isNull && ada["born"].isNull && ada["photo"].isNull)
  }

  // Core Data: NSManagedObject.isInserted: true for an object that a save will insert.
  @Test(arguments: stores) func `a new object is inserted, and neither updated nor deleted`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.context.make("New")
    #expect(ada.isInserted && ada.hasChanges && !ada.isUpdated && !ada.isDeleted && !ada.isFault)
  }

  // Core Data: NSManagedObject.isInserted: false once it is saved.
  @Test(arguments: stores) func `a saved object is not inserted any more`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.context.make("New")
    try office.context.save()
    #expect(!ada.isInserted && !ada.hasChanges)
  }

  // Core Data: NSManagedObjectID.isTemporaryID: an object has a temporary ID until it is saved.
  @Test(arguments: stores) func `an ID is temporary until the object is saved`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.context.make("New")
    #expect(ada.objectID.isTemporary)
    try office.context.save()
    #expect(!ada.objectID.isTemporary)
  }

  // Core Data: NSManagedObjectContext.object(with:): there is one object for one ID.
  @Test(arguments: stores) func `a save leaves a new object the same instance`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.context.make("New")
    let temporary = ada.objectID
    try office.context.save()
    #expect(office.context.object(with: ada.objectID) === ada)
    #expect(office.context.object(with: temporary) === ada)
    #expect(try office.person("New") === ada)
  }

  // Core Data: NSManagedObjectContext.insertedObjects: the objects that the next save inserts.
  @Test(arguments: stores) func `insertedObjects has the new objects until they are saved`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (one, two) = (try office.context.make("1"), try office.context.make("2"))
    #expect(Set(office.context.insertedObjects) == [one, two])
    try office.context.save()
    #expect(office.context.insertedObjects.isEmpty)
  }

  // Core Data: NSEntityDescription.insertNewObject: it raises if there is no such entity.
  @Test(arguments: stores)
  func `inserting into an unknown entity is an error that names the nearest`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let error = try managedObjectError { _ = try office.context.insert(entityName: "Persn") }
    #expect(error.reason == .unknownEntity && error.remedy.contains("Person"))
    #expect(!office.context.hasChanges)
  }

  // Core Data: NSEntityDescription.isAbstract: an abstract entity has no instances.
  @Test(arguments: stores) func `an abstract entity cannot be inserted`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(throws: ManagedObjectError.self) { try office.context.insert(entityName: "Party") }
  }

  // Core Data: NSManagedObjectContext.delete(_:): an unsaved object is just removed.
  @Test(arguments: stores) func `a new object that is deleted leaves nothing to save`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.context.delete(office.context.make("New"))
    office.context.processPendingChanges()
    #expect(!office.context.hasChanges)
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObject.entity: the entity that it was made of, not its super-entity.
  @Test(arguments: stores) func `an object of a sub-entity keeps its own entity`(kind: Kind) throws
  {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    #expect(cyd.entity.name == "Student" && cyd["school"] == "MIT")
  }

  // Core Data: NSManagedObject(entity:insertInto:): new objects have different IDs.
  @Test(arguments: stores) func `objects that are saved together have different IDs`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let objects = try (0..<20).map { try office.context.make("\($0)") }
    #expect(Set(objects.map(\.objectID)).count == 20)
    try office.context.save()
    #expect(Set(objects.map(\.objectID)).count == 20)
  }

  // Core Data: NSManagedObjectContext: what is not saved is in its own context only.
  @Test(arguments: stores) func `other contexts do not see a new object before it is saved`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    try office.context.make("New")
    #expect(try other.names() == ["Ada", "Bob", "Cyd"])
    try office.context.save()
    #expect(try other.names() == ["Ada", "Bob", "Cyd", "New"])
  }

  // Core Data: NSManagedObject.validateForInsert: all that is set before the save is written.
  @Test(arguments: stores) func `what was set before the first save is in the store`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let new = try office.context.make("New")
    (new["age"], new["height"]) = (7, 1.25)
    try office.context.save()
    #expect(try office.stored("New", "age") == 7)
    #expect(try office.stored("New", "height") == 1.25)
  }

  // Core Data: NSAttributeDescription.defaultValue: nil that was set is kept.
  @Test(arguments: stores) func `null that is set replaces a default value`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("New")["age"] = .null
    try office.context.save()
    #expect(try office.stored("New", "age").isNull)
  }

  // Core Data: NSManagedObjectContext.fetch: unsaved objects are part of the results.
  @Test(arguments: stores) func `a fetch returns a new object itself`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    #expect(try office.person("New") === new)
  }

  // Core Data: NSManagedObjectContext: it retains objects that have unsaved changes.
  @Test(arguments: stores) func `a context retains new objects that nobody else references`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    weak let new = try office.context.make("New")
    #expect(new != nil)
    try office.context.save()
    #expect(new == nil)
  }
}
