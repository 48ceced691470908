import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Validation of single values` {
  private struct Refusal: Error, CustomStringConvertible { let description: String }

  /// Refuses people of negative age, and codes with a space.
  private final class Strict: ManagedObject {
    private(set) var keys: [String] = []

    override func validate(_ value: Value, forKey key: String) throws {
      keys.append(key)
      if key == "age", case .integer(let age) = value, age < 0 {
        throw Refusal(description: "is negative")
      }
      if key == "code", case .string(let code) = value, code.contains(" ") {
        throw Refusal(description: "has a space")
      }
    }
  }

  private func office(_ kind: Kind) throws -> Office {
    let office = try Office(kind)
    office.context.register(Strict.self, forEntity: "Person")
    return office
  }

  // Core Data: NSManagedObject.validateValue(_:forKey:) at the save of a changed object.
  @Test(arguments: stores) func `a save validates the attributes that have changed`(kind: Kind)
    throws
  {
    let office = try office(kind)
    let ada = try #require(try office.person("Ada") as? Strict)
    (ada["age"], ada["height"]) = (1, 1.5)
    try office.context.save()
    #expect(ada.keys.sorted() == ["age", "height"])
    try office.context.save()
    #expect(ada.keys.count == 2)
  }

  // Core Data: NSManagedObject.validateForInsert() validates each property.
  @Test(arguments: stores) func `a save validates all attributes of a new object`(kind: Kind) throws
  {
    let office = try office(kind)
    let new = try #require(try office.context.make("New") as? Strict)
    try office.context.save()
    #expect(Set(new.keys) == Set(new.entity.attributes.map(\.name)))
  }

  // Core Data: validation methods are not called for a deleted object.
  @Test(arguments: stores) func `a deletion validates no values`(kind: Kind) throws {
    let office = try office(kind)
    let cyd = try #require(try office.person("Cyd") as? Strict)
    cyd["age"] = -1
    try office.context.delete(cyd)
    try office.context.save()
    #expect(cyd.keys.isEmpty)
  }

  // Core Data: a single error is thrown as it is.
  @Test(arguments: stores) func `the only error of a save is thrown as it is`(kind: Kind) throws {
    let office = try office(kind)
    try office.person("Ada")["age"] = -1
    #expect(throws: Refusal.self) { try office.context.save() }
    #expect(try office.stored("Ada", "age") == 36)
  }

  // Core Data: NSValidationMultipleErrorsError, NSValidationKeyErrorKey.
  @Test(arguments: stores) func `several errors are thrown together, each with its key`(kind: Kind)
    throws
  {
    let office = try office(kind)
    let ada = try office.person("Ada")
    (ada["age"], ada["code"]) = (-1, "a b")
    try office.person("Bob")["name"] = .null
    let new = try office.context.make("New")
    new["age"] = -2
    let error = try managedObjectError { try office.context.save() }
    let problems = Set(error.problems.map { "\($0.name) \($0.key) \($0.message)" })
    #expect(problems.isSuperset(of: ["Ada age is negative", "Ada code has a space"]))
    #expect(problems.contains("New age is negative") && problems.count == 4)
    #expect(error.reason == .validation && Set(error.objectIDs).count == 3)
  }

  // Core Data: NSManagedObject.validateValue(_:forKey:) without setting the value.
  @Test(arguments: stores) func `a value is validated without being set`(kind: Kind) throws {
    let office = try office(kind)
    let ada = try office.person("Ada")
    try ada.validateValue(37, forKey: "age")
    #expect(throws: Refusal.self) { try ada.validateValue(-1, forKey: "age") }
    #expect(ada["age"] == 36 && !ada.hasChanges)
  }

  // Core Data: NSManagedObject.validateValue(_:forKey:) applies the rules of the model.
  @Test(arguments: stores) func `a value is validated by the rules of the model`(kind: Kind) throws
  {
    let office = try office(kind)
    let coupon = try office.context.make("c", "Coupon")
    try coupon.validateValue(100, forKey: "percent")
    try coupon.validateValue(.null, forKey: "percent")
    let error = try managedObjectError { try coupon.validateValue(101, forKey: "percent") }
    #expect(error.problems.map(\.key) == ["percent"] && error.problems[0].code == .rule)
    let missing = try managedObjectError {
      try office.person("Ada").validateValue(.null, forKey: "name")
    }
    #expect(missing.problems.map(\.code) == [.missing])
  }

  // Core Data: NSManagedObject.validateValue(_:forKey:) of a value of another class.
  @Test(arguments: stores) func `a value of another type and an unknown key are refused`(kind: Kind)
    throws
  {
    let office = try office(kind)
    let ada = try office.person("Ada")
    #expect(
      try managedObjectError { try ada.validateValue("x", forKey: "age") }.reason == .wrongType)
    #expect(
      try managedObjectError { try ada.validateValue(1, forKey: "agee") }.reason == .unknownKey)
  }
}
