import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `To-one relationships` {
  // Core Data: NSRelationshipDescription.inverseRelationship: setting one end sets the other.
  @Test(arguments: stores) func `setting a to-one relationship adds to its inverse`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (cyd, acme) = (try office.person("Cyd"), try office.context.named("Acme", "Company"))
    try cyd.setObject(acme, forKey: "employer")
    #expect(acme.names("employees").sorted() == ["Ada", "Bob", "Cyd"])
    try office.context.save()
    let read = try office.anotherContext().named("Acme", "Company")
    #expect(read.managedObjectContext != nil)
    #expect(read.names("employees").sorted() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSRelationshipDescription.inverseRelationship: nil removes from the other end.
  @Test(arguments: stores) func `setting a to-one relationship to nil removes from its inverse`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (bob, acme) = (try office.person("Bob"), try office.context.named("Acme", "Company"))
    try bob.setObject(nil, forKey: "employer")
    #expect(bob.object(forKey: "employer") == nil && acme.names("employees") == ["Ada"])
    try office.context.save()
    #expect(try office.anotherContext().named("Acme", "Company").names("employees") == ["Ada"])
  }

  // Core Data: NSRelationshipDescription: a to-one relationship has one destination.
  @Test(arguments: stores) func `another destination takes the object from the first one`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (bob, acme) = (try office.person("Bob"), try office.context.named("Acme", "Company"))
    let other = try office.context.make("Other", "Company")
    try bob.setObject(other, forKey: "employer")
    #expect(acme.names("employees") == ["Ada"] && other.names("employees") == ["Bob"])
  }

  // Core Data: NSRelationshipDescription.maxCount 1 at both ends: a one-to-one relationship.
  @Test(arguments: stores) func `a one-to-one relationship is set at both ends`(kind: Kind) throws {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    let passport = try office.context.make("P2", "Passport")
    try passport.setObject(bob, forKey: "holder")
    #expect(bob.object(forKey: "passport") === passport)
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("passport") == ["P2"])
  }

  // Core Data: a one-to-one relationship that gets another destination leaves the former one nil.
  @Test(arguments: stores) func `taking a one-to-one destination clears its former owner`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    let passport = try #require(ada.object(forKey: "passport"))
    try bob.setObject(passport, forKey: "passport")
    #expect(ada.object(forKey: "passport") == nil && passport.object(forKey: "holder") === bob)
    try office.context.save()
    let other = office.anotherContext()
    #expect(try other.named("Ada").names("passport") == [])
    #expect(try other.named("P1", "Passport").names("holder") == ["Bob"])
  }

  // Core Data: NSManagedObject.setValue(_:forKey:) of a relationship: the entity must fit.
  @Test(arguments: stores) func `an object of another entity is refused`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, red) = (try office.person("Ada"), try office.context.named("red", "Tag"))
    let error = try managedObjectError { try ada.setObject(red, forKey: "employer") }
    #expect(error.reason == .wrongType)
    #expect(ada.names("employer") == ["Acme"] && !office.context.hasChanges)
  }

  // Core Data: an object of a sub-entity fits where its super-entity is the destination.
  @Test(arguments: stores) func `an object of a sub-entity fits`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, cyd) = (try office.person("Ada"), try office.person("Cyd"))
    try ada.setObject(cyd, forKey: "manager")
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("manager") == ["Cyd"])
  }

  // Core Data: a relationship between objects of different contexts raises.
  @Test(arguments: stores) func `an object of another context is refused`(kind: Kind) throws {
    let office = try Office(kind)
    let other = try office.anotherContext().named("Bob")
    let error = try managedObjectError {
      try office.person("Ada").setObject(other, forKey: "manager")
    }
    #expect(error.detail.contains("another context"))
  }

  // Core Data: NSManagedObjectContext.delete(_:): a deleted object cannot be a destination.
  @Test(arguments: stores) func `a deleted object is refused`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    try office.context.delete(bob)
    #expect(throws: ManagedObjectError.self) { try ada.setObject(bob, forKey: "manager") }
  }

  // Core Data: NSManagedObjectContext.save(): new objects that lead to each other are saved.
  @Test(arguments: stores) func `new objects that lead to each other are saved together`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (one, two) = (try office.context.make("1"), try office.context.make("2"))
    try one.setObject(two, forKey: "manager")
    try two.setObject(one, forKey: "manager")
    try office.context.save()
    let other = office.anotherContext()
    #expect(try other.named("1").names("manager") == ["2"])
    #expect(try other.named("2").names("manager") == ["1"])
  }

  // Core Data: a relationship may lead to its own object.
  @Test(arguments: stores) func `an object may lead to itself`(kind: Kind) throws {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    try bob.setObject(bob, forKey: "manager")
    try office.context.save()
    let read = try office.anotherContext().named("Bob")
    #expect(read.names("manager") == ["Bob"] && read.names("reports") == ["Bob"])
  }

  // Core Data: NSManagedObject.changedValues() has relationships too.
  @Test(arguments: stores) func `a changed to-one relationship is a change of both objects`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (cyd, acme) = (try office.person("Cyd"), try office.context.named("Acme", "Company"))
    try cyd.setObject(acme, forKey: "employer")
    #expect(cyd.changedKeys == ["employer"] && acme.changedKeys == ["employees"])
    #expect(cyd.isUpdated && acme.isUpdated)
    #expect(Set(office.context.updatedObjects) == [cyd, acme])
  }

  // Core Data: setting a relationship to what it is changes nothing.
  @Test(arguments: stores) func `setting the destination that it has changes nothing`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try ada.setObject(office.context.named("Acme", "Company"), forKey: "employer")
    #expect(!office.context.hasChanges)
  }

  // Core Data: setting a relationship back to what was saved leaves nothing to save.
  @Test(arguments: stores) func `setting the saved destination again leaves nothing to save`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (ada, acme) = (try office.person("Ada"), try office.context.named("Acme", "Company"))
    try ada.setObject(nil, forKey: "employer")
    try ada.setObject(acme, forKey: "employer")
    #expect(!office.context.hasChanges && acme.names("employees").sorted() == ["Ada", "Bob"])
  }

  // Core Data: NSManagedObject.objectIDs(forRelationshipNamed:).
  @Test(arguments: stores) func `the destination's ID is read without the destination`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (bob, ada) = (try office.person("Bob"), try office.person("Ada"))
    #expect(bob.objectID(forKey: "manager") == ada.objectID)
    #expect(ada.objectID(forKey: "manager") == nil && ada.objectID(forKey: "nothing") == nil)
  }

  // Core Data: NSManagedObject.setValue(_:forUndefinedKey:).
  @Test(arguments: stores) func `an unknown relationship is an error`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    #expect(throws: ManagedObjectError.self) { try ada.setObject(nil, forKey: "boss") }
    #expect(throws: ManagedObjectError.self) { try ada.add(ada, forKey: "employer") }
    #expect(ada.objects(forKey: "boss").isEmpty && ada.object(forKey: "boss") == nil)
  }
}
