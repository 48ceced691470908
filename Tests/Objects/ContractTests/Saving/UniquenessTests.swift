import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Uniqueness constraints` {
  private func seat(_ context: ManagedObjectContext, _ name: String, _ row: Value, _ number: Value)
    throws -> ManagedObject
  {
    let seat = try context.make(name, "Seat")
    (seat["row"], seat["number"]) = (row, number)
    return seat
  }

  // Core Data: NSEntityDescription.uniquenessConstraints: NSErrorMergePolicy refuses the save.
  @Test(arguments: stores) func `a value that is taken is refused`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["code"] = "x"
    try office.context.save()
    let new = try office.context.make("New")
    new["code"] = "x"
    let error = try managedObjectError { try office.context.save() }
    #expect(error.storeError?.reason == .constraint && error.objectIDs.contains(new.objectID))
    #expect(new.isInserted)
  }

  // Core Data: NSEntityDescription.uniquenessConstraints: an update may break one too.
  @Test(arguments: stores) func `a changed value that is taken is refused`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["code"] = "x"
    try office.context.save()
    try office.person("Bob")["code"] = "x"
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(try office.stored("Bob", "code").isNull)
  }

  // Core Data: NSEntityDescription.uniquenessConstraints: nil is equal to nothing.
  @Test(arguments: stores) func `null is not unique`(kind: Kind) throws {
    let office = try Office(kind)
    for name in ["a", "b"] { _ = try seat(office.context, name, 1, .null) }
    try office.context.save()
    #expect(try office.anotherContext().names("Seat") == ["a", "b"])
  }

  // Core Data: NSEntityDescription.uniquenessConstraints: of several attributes together.
  @Test(arguments: stores) func `a constraint of two attributes compares both`(kind: Kind) throws {
    let office = try Office(kind)
    _ = try seat(office.context, "a", 1, 1)
    _ = try seat(office.context, "b", 1, 2)
    _ = try seat(office.context, "c", 2, 1)
    try office.context.save()
    _ = try seat(office.context, "d", 1, 2)
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(try office.anotherContext().names("Seat") == ["a", "b", "c"])
  }

  // Core Data: NSEntityDescription.uniquenessConstraints hold for sub-entities.
  @Test(arguments: stores) func `a constraint holds for sub-entities`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["code"] = "x"
    try office.person("Cyd")["code"] = "x"
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
  }

  // Core Data: the constraint is checked on what the whole save leaves behind.
  @Test(arguments: stores) func `two objects exchange their values in one save`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    (ada["code"], bob["code"]) = ("a", "b")
    try office.context.save()
    (ada["code"], bob["code"]) = ("b", "a")
    try office.context.save()
    #expect(try office.stored("Ada", "code") == "b" && office.stored("Bob", "code") == "a")
  }

  // Core Data: a deleted object gives its value free in the same save.
  @Test(arguments: stores) func `a new object takes the value of a deleted one`(kind: Kind) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    cyd["code"] = "x"
    try office.context.save()
    try office.context.delete(cyd)
    try office.context.make("New")["code"] = "x"
    try office.context.save()
    #expect(try office.stored("New", "code") == "x")
  }

  // Core Data: NSMergeByPropertyObjectTrumpMergePolicy with a constraint: an upsert.
  @Test(arguments: stores) func `object trump writes a new object into the stored one`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["code"] = "x"
    try office.context.save()
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let new = try office.context.make("Ada Lovelace")
    (new["code"], new["height"]) = ("x", 1.7)
    try office.context.save()
    #expect(new.objectID == ada.objectID && ada["name"] == "Ada Lovelace")
    #expect(try office.anotherContext().names() == ["Ada Lovelace", "Bob", "Cyd"])
    #expect(try office.stored("Ada Lovelace", "height") == 1.7)
  }

  // Core Data: NSMergeByPropertyStoreTrumpMergePolicy with a constraint: the stored object stays.
  @Test(arguments: stores, [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `store trump and rollback keep the stored object`(kind: Kind, policy: MergePolicy) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["code"] = "x"
    try office.context.save()
    office.context.mergePolicy = policy
    let new = try office.context.make("Imposter")
    new["code"] = "x"
    try office.context.save()
    #expect(new.objectID == ada.objectID && new["name"] == "Ada")
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSOverwriteMergePolicy with a constraint: the new object replaces the stored one.
  @Test(arguments: stores) func `overwrite replaces all values of the stored object`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    (ada["code"], ada["height"]) = ("x", 1.7)
    try office.context.save()
    office.context.mergePolicy = .overwrite
    try office.context.make("New")["code"] = "x"
    try office.context.save()
    #expect(ada["name"] == "New" && ada["height"].isNull && ada["age"] == 18)
  }

  // Core Data: what leads to a merged object leads to the stored one.
  @Test(arguments: stores) func `relationships of a merged object lead to the stored one`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    try office.person("Ada")["code"] = "x"
    try office.context.save()
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let new = try office.context.make("Ada")
    new["code"] = "x"
    try office.context.make("Fido", "Pet").setObject(new, forKey: "owner")
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("pets").sorted() == ["Fido", "Rex"])
  }
}
