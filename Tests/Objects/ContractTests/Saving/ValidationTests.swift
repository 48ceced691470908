import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Validation by the model` {
  /// The problems of a save, as "name: key code".
  private func problems(_ office: Office) throws -> [String] {
    try managedObjectError { try office.context.save() }.problems.map {
      "\($0.name): \($0.key) \($0.code)"
    }.sorted()
  }

  // Core Data: NSPropertyDescription.isOptional; NSValidationMissingMandatoryPropertyError.
  @Test(arguments: stores) func `a required attribute must have a value`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["name"] = .null
    let error = try managedObjectError { try office.context.save() }
    #expect(error.reason == .validation && error.objectIDs == [ada.objectID])
    #expect(error.problems.map(\.key) == ["name"] && error.problems[0].code == .missing)
  }

  // Core Data: NSPropertyDescription.isOptional of a new object.
  @Test(arguments: stores) func `a required attribute of a new object must have a value`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.context.insert(entityName: "Person")["isActive"] = .null
    let error = try managedObjectError { try office.context.save() }
    #expect(Set(error.problems.map(\.key)) == ["name", "isActive"])
  }

  // Core Data: NSPropertyDescription.isOptional of a to-one relationship.
  @Test(arguments: stores) func `a required relationship must have a destination`(kind: Kind) throws
  {
    let office = try Office(kind)
    try office.context.make("Stick", "Toy")
    #expect(try problems(office) == ["Stick: pet missing"])
  }

  // Core Data: NSRelationshipDescription.minCount; NSValidationRelationshipLacksMinimumCountError.
  @Test(arguments: stores) func `a to-many relationship needs its least count`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("A", "Team")
    #expect(try problems(office) == ["A: players tooFew"])
  }

  // Core Data: NSRelationshipDescription.maxCount; NSValidationRelationshipExceedsMaximumCountError.
  @Test(arguments: stores) func `a to-many relationship has at most its greatest count`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let team = try office.context.make("A", "Team")
    for name in ["x", "y", "z"] {
      try team.add(office.context.make(name, "Player"), forKey: "players")
    }
    #expect(try problems(office) == ["A: players tooMany"])
    try team.remove(office.context.named("z", "Player"), forKey: "players")
    try office.context.save()
    #expect(try office.anotherContext().named("A", "Team").names("players").count == 2)
  }

  // Core Data: NSRelationshipDescription.minCount: deleting the last object breaks it too.
  @Test(arguments: stores) func `deleting the last object of a relationship is validated`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    let team = try office.context.make("A", "Team")
    try team.add(office.context.make("x", "Player"), forKey: "players")
    try office.context.save()
    try office.context.delete(office.context.named("x", "Player"))
    #expect(try problems(office) == ["A: players tooFew"])
    try office.context.delete(team)
    try office.context.save()
    #expect(try office.anotherContext().names("Team") == [])
  }

  // Core Data: NSPropertyDescription.validationPredicates: NSValidationNumberTooLargeError.
  @Test(arguments: stores, [0, 1, 100, 101])
  func `a value must meet the rules of its attribute`(kind: Kind, percent: Int64) throws {
    let office = try Office(kind)
    try office.context.make("c", "Coupon")["percent"] = .integer(percent)
    if (1...100).contains(percent) {
      try office.context.save()
    } else {
      #expect(try problems(office) == ["c: percent rule"])
    }
  }

  // Core Data: NSPropertyDescription.validationPredicates: NSValidationStringTooLongError.
  @Test(arguments: stores) func `a text must meet the rules of its attribute`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("far too long", "Coupon")
    #expect(try problems(office) == ["far too long: name rule"])
  }

  // Core Data: NSPropertyDescription.validationPredicates do not apply to nil.
  @Test(arguments: stores) func `rules do not apply to null`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("c", "Coupon")["percent"] = .null
    try office.context.save()
    #expect(try office.anotherContext().named("c", "Coupon")["percent"].isNull)
  }

  // Core Data: NSDetailedErrorsKey: NSValidationMultipleErrorsError has all errors of a save.
  @Test(arguments: stores) func `one save reports all problems of all objects`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["name"] = .null
    try office.context.make("Stick", "Toy")
    let coupon = try office.context.make("far too long", "Coupon")
    coupon["percent"] = 101
    try office.context.make("A", "Team")
    #expect(try problems(office).count == 5)
  }

  // Core Data: NSValidationObjectErrorKey, NSValidationKeyErrorKey.
  @Test(arguments: stores) func `a problem names its object, key and what is wrong`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let coupon = try office.context.make("c", "Coupon")
    coupon["percent"] = 101
    let error = try managedObjectError { try office.context.save() }
    let problem = try #require(error.problems.first)
    #expect(problem.objectID == coupon.objectID && problem.key == "percent")
    #expect(problem.message.contains("SELF <= 100") && error.description.contains("percent"))
  }

  // Core Data: NSManagedObjectContext.save(): a corrected object is saved.
  @Test(arguments: stores) func `a corrected object is saved`(kind: Kind) throws {
    let office = try Office(kind)
    let coupon = try office.context.make("c", "Coupon")
    coupon["percent"] = 101
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    coupon["percent"] = 100
    try office.context.save()
    #expect(try office.anotherContext().named("c", "Coupon")["percent"] == 100)
  }

  // Core Data: NSManagedObject.validateForDelete(): the rules of values do not apply.
  @Test(arguments: stores) func `an invalid object can be deleted`(kind: Kind) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    cyd["name"] = .null
    try office.context.delete(cyd)
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob"])
  }

  // Core Data: validation happens at the save, not when a value is set.
  @Test(arguments: stores) func `an object may be invalid until the save`(kind: Kind) throws {
    let office = try Office(kind)
    let coupon = try office.context.make("c", "Coupon")
    coupon["percent"] = 1_000
    office.context.processPendingChanges()
    #expect(coupon["percent"] == 1_000)
  }

  // Core Data: NSManagedObject.validateForUpdate: of objects that a save does not write nothing is
  // validated.
  @Test(arguments: stores) func `an invalid object that was rolled back does not matter`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.context.make("c", "Coupon")["percent"] = 101
    office.context.rollback()
    try office.person("Ada")["age"] = 1
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 1)
  }
}
