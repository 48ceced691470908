import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Deleting objects` {
  // Core Data: NSManagedObjectContext.delete(_:): the object is removed from the store at the save.
  @Test(arguments: stores) func `a deleted object is in the store until the save`(kind: Kind) throws
  {
    let office = try Office(kind)
    try office.context.delete(office.person("Cyd"))
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob"])
  }

  // Core Data: NSManagedObject.isDeleted, NSManagedObjectContext.deletedObjects.
  @Test(arguments: stores) func `a deleted object is among deletedObjects until the save`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    try office.context.delete(cyd)
    #expect(cyd.isDeleted && office.context.deletedObjects == [cyd])
    try office.context.save()
    #expect(office.context.deletedObjects.isEmpty && !cyd.isDeleted && !cyd.isAccessible)
  }

  // Core Data: NSManagedObjectContext.fetch: objects that are deleted here are left out.
  @Test(arguments: stores) func `a fetch leaves out deleted objects`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.delete(office.person("Cyd"))
    #expect(try office.context.names() == ["Ada", "Bob"])
    #expect(try office.context.count(for: FetchRequest<ManagedObject>(entityName: "Person")) == 2)
  }

  // Core Data: NSManagedObject: values of a deleted object are readable until the save.
  @Test(arguments: stores) func `a deleted object has its values until the save`(kind: Kind) throws
  {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    try office.context.delete(cyd)
    #expect(cyd["name"] == "Cyd" && cyd["age"] == 25)
  }

  // Core Data: a deleted object cannot be changed.
  @Test(arguments: stores) func `a deleted object cannot be changed`(kind: Kind) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    try office.context.delete(cyd)
    let error = try managedObjectError { try cyd.setValue(1, forKey: "age") }
    #expect(error.reason == .gone)
  }

  // Core Data: NSManagedObjectContext.delete(_:): deleting twice is deleting once.
  @Test(arguments: stores) func `deleting twice is deleting once`(kind: Kind) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    try office.context.delete(cyd)
    try office.context.delete(cyd)
    #expect(office.context.deletedObjects == [cyd])
    try office.context.save()
    try office.context.delete(cyd)
    #expect(!office.context.hasChanges)
  }

  // Core Data: NSDeleteRule.nullifyDeleteRule: the inverse is set to nil.
  @Test(arguments: stores) func `nullify sets the inverse to nil`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try office.context.delete(office.context.named("Acme", "Company"))
    office.context.processPendingChanges()
    #expect(ada.object(forKey: "employer") == nil)
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("employer") == [])
  }

  // Core Data: NSDeleteRule.nullifyDeleteRule of a many-to-many relationship.
  @Test(arguments: stores) func `nullify unlinks a many-to-many relationship`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.delete(office.context.named("red", "Tag"))
    try office.context.save()
    let ada = try office.anotherContext().named("Ada")
    #expect(ada.names("tags") == [] && ada.names("favourites") == ["green"])
  }

  // Core Data: NSDeleteRule.cascadeDeleteRule: the destinations are deleted too.
  @Test(arguments: stores) func `cascade deletes destinations, and theirs`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.delete(office.person("Ada"))
    try office.context.save()
    let other = office.anotherContext()
    for name in ["Pet", "Toy", "Passport"] { #expect(try other.names(name) == []) }
    #expect(try other.names("Tag") == ["blue", "green", "red"])
  }

  // Core Data: NSManagedObjectContext.processPendingChanges(): delete rules are followed then.
  @Test(arguments: stores) func `processing changes follows delete rules`(kind: Kind) throws {
    let office = try Office(kind)
    let rex = try office.context.named("Rex", "Pet")
    try office.context.delete(office.person("Ada"))
    office.context.processPendingChanges()
    #expect(rex.isDeleted && office.context.deletedObjects.count == 5)
  }

  // Core Data: NSDeleteRule.cascadeDeleteRule: objects that were moved away stay.
  @Test(arguments: stores) func `cascade spares what was taken away before`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    try office.context.named("Rex", "Pet").setObject(bob, forKey: "owner")
    try office.context.delete(ada)
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("pets") == ["Rex"])
  }

  // Core Data: NSDeleteRule.cascadeDeleteRule: unsaved destinations are deleted too.
  @Test(arguments: stores) func `cascade deletes unsaved destinations`(kind: Kind) throws {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    try bob.add(office.context.make("Fido", "Pet"), forKey: "pets")
    try office.context.delete(bob)
    try office.context.save()
    #expect(try office.anotherContext().names("Pet") == ["Rex"])
  }

  // Core Data: NSDeleteRule.denyDeleteRule: the save fails while there are destinations.
  @Test(arguments: stores) func `deny refuses the save while there are destinations`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try ada.add(office.context.make("I1", "Invoice"), forKey: "invoices")
    try office.context.save()
    try office.context.delete(ada)
    let error = try managedObjectError { try office.context.save() }
    #expect(error.reason == .denied && error.objectIDs == [ada.objectID])
    #expect(error.problems.first?.code == .deleteDenied)
    #expect(try office.anotherContext().names().contains("Ada"))
  }

  // Core Data: NSDeleteRule.denyDeleteRule: deleting the destinations too is allowed.
  @Test(arguments: stores) func `deny allows the deletion with its destinations`(kind: Kind) throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try ada.add(office.context.make("I1", "Invoice"), forKey: "invoices")
    try office.context.save()
    try office.context.delete(ada)
    try office.context.delete(office.context.named("I1", "Invoice"))
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Bob", "Cyd"])
  }

  // Core Data: NSDeleteRule.denyDeleteRule: without destinations there is nothing to deny.
  @Test(arguments: stores) func `deny allows the deletion of an object without destinations`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    try office.context.delete(office.person("Bob"))
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Cyd"])
  }

  // Core Data: NSDeleteRule: rules are followed for unsaved objects too.
  @Test(arguments: stores) func `delete rules hold for new objects`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    try new.add(office.context.make("Fido", "Pet"), forKey: "pets")
    try office.context.delete(new)
    office.context.processPendingChanges()
    #expect(!office.context.hasChanges)
  }

  // Core Data: a required relationship that a rule sets to nil makes the save fail.
  @Test(arguments: stores) func `removing the destination of a required relationship is not valid`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (rex, ball) = (
      try office.context.named("Rex", "Pet"), try office.context.named("Ball", "Toy")
    )
    try rex.remove(ball, forKey: "toys")
    let error = try managedObjectError { try office.context.save() }
    #expect(error.problems.map(\.key) == ["pet"])
  }

  // Core Data: NSManagedObjectContext.rollback(): deletions are taken back.
  @Test(arguments: stores) func `rollback brings back what was deleted, cascades included`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try office.context.delete(ada)
    office.context.processPendingChanges()
    office.context.rollback()
    #expect(!ada.isDeleted && ada.names("pets") == ["Rex"] && !office.context.hasChanges)
    #expect(ada.names("favourites") == ["red", "green"])
  }

  // Core Data: an object that another context has deleted is nothing left to delete.
  @Test(arguments: stores) func `what was deleted in both contexts is gone`(kind: Kind) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    try office.context.delete(office.person("Cyd"))
    try other.delete(other.named("Cyd"))
    try other.save()
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob"])
  }

  // Core Data: deleting one end of a one-to-one relationship with nullify keeps the other.
  @Test(arguments: stores) func `nullify of a one-to-one relationship keeps the other object`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try office.context.delete(office.context.named("P1", "Passport"))
    try office.context.save()
    #expect(ada.object(forKey: "passport") == nil && ada.isAccessible)
    #expect(try office.anotherContext().named("Ada").names("passport") == [])
  }

  // Core Data: deletions and insertions of one save are one transaction.
  @Test(arguments: stores) func `one save deletes and inserts`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.delete(office.person("Cyd"))
    try office.context.make("Dan").setObject(office.person("Ada"), forKey: "manager")
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Dan"])
  }

  // Not in Core Data: what a deletion would do is known before it is done.
  @Test(arguments: stores) func `a deletion plan names what rules would delete and nullify`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let plan = try office.context.deletionPlan(for: [ada.objectID])
    #expect(plan.direct == [ada.objectID] && plan.deleted.count == 5)
    #expect(plan.nullified.map(\.relationship.description) == ["Person.manager"])
    #expect(!office.context.hasChanges)
    try office.context.save(deleting: plan)
    #expect(try office.anotherContext().names() == ["Bob", "Cyd"])
  }
}
