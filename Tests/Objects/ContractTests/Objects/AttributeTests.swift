import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Attributes of objects` {
  /// What is read of a value of a person that was saved.
  private func roundTrip(_ key: String, _ value: Value, _ kind: Kind) throws -> Value {
    let office = try Office(kind)
    try office.context.make("New").setValue(value, forKey: key)
    try office.context.save()
    return try office.stored("New", key)
  }

  // Core Data: NSAttributeDescription.attributeType: a string keeps all its characters.
  @Test(arguments: stores) func `text keeps every character`(kind: Kind) throws {
    let text = Value.string("Émile 🇫🇷\n\t\"'\u{301} %@")
    let office = try Office(kind)
    try office.person("Ada").setValue(text, forKey: "code")
    try office.context.save()
    #expect(try office.stored("Ada", "code") == text)
  }

  // Core Data: NSAttributeType.stringAttributeType: empty text is a value.
  @Test(arguments: stores) func `empty text is not null`(kind: Kind) throws {
    #expect(try roundTrip("code", "", kind) == "")
  }

  // Core Data: NSAttributeType.integer64AttributeType: all 64-bit integers.
  @Test(arguments: stores, [Int64.min, -1, 0, .max] as [Int64])
  func `integers of 64 bits are exact`(kind: Kind, number: Int64) throws {
    #expect(try roundTrip("age", .integer(number), kind) == .integer(number))
  }

  // Core Data: NSAttributeType.doubleAttributeType: a double reads back equal.
  @Test(arguments: stores, [0.1, -1e300, 1e-300, 1 / 3] as [Double])
  func `doubles are exact`(kind: Kind, number: Double) throws {
    #expect(try roundTrip("height", .double(number), kind) == .double(number))
  }

  // Core Data: NSAttributeType.booleanAttributeType.
  @Test(arguments: stores, [true, false])
  func `a Boolean stays a Boolean`(kind: Kind, value: Bool) throws {
    #expect(try roundTrip("isActive", .bool(value), kind) == .bool(value))
  }

  // Core Data: NSAttributeType.dateAttributeType: also before the reference date.
  @Test(arguments: stores, [-2_208_988_800.0, 0, 1_700_000_000])
  func `dates before and after 1970 are kept`(kind: Kind, seconds: Double) throws {
    let date = Value.date(Date(timeIntervalSince1970: seconds))
    #expect(try roundTrip("born", date, kind) == date)
  }

  // Core Data: NSAttributeType.decimalAttributeType: decimal, without a detour by a double.
  @Test(arguments: stores) func `a decimal is exact`(kind: Kind) throws {
    let wage = Value.decimal(try #require(Decimal(string: "12345.67")))
    #expect(try roundTrip("wage", wage, kind) == wage)
  }

  // Core Data: NSAttributeType.binaryDataAttributeType.
  @Test(arguments: stores) func `bytes are kept, zeros included`(kind: Kind) throws {
    let bytes = Value.data(Data([0, 1, 0, 255]))
    #expect(try roundTrip("photo", bytes, kind) == bytes)
  }

  // Core Data: NSAttributeType.UUIDAttributeType.
  @Test(arguments: stores) func `a UUID is kept`(kind: Kind) throws {
    let uuid = Value.uuid(UUID())
    #expect(try roundTrip("token", uuid, kind) == uuid)
  }

  // Core Data: NSAttributeType.URIAttributeType.
  @Test(arguments: stores) func `a URL is kept`(kind: Kind) throws {
    let url = Value.url(try #require(URL(string: "https://example.org/a?b=c#d")))
    #expect(try roundTrip("site", url, kind) == url)
  }

  // Core Data: NSManagedObject.setValue(nil, forKey:).
  @Test(arguments: stores) func `a value can be set to null`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = .null
    try office.context.save()
    #expect(try office.stored("Ada", "age").isNull)
  }

  // Core Data: NSManagedObject.value(forKey:): long values are whole.
  @Test(arguments: stores) func `a text of 200,000 characters is read in full`(kind: Kind) throws {
    let text = Value.string(String(repeating: "äb", count: 100_000))
    #expect(try roundTrip("code", text, kind) == text)
  }

  // Core Data: NSManagedObject.setValue(_:forKey:): it raises for a value of another class.
  @Test(arguments: stores) func `a value of another type is refused`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let error = try managedObjectError { try ada.setValue("old", forKey: "age") }
    #expect(error.reason == .wrongType && error.objectIDs == [ada.objectID])
    #expect(ada["age"] == 36 && !ada.hasChanges)
  }

  // Core Data: NSManagedObject.setValue(_:forUndefinedKey:): an unknown key is an error.
  @Test(arguments: stores) func `an unknown key cannot be set, and reads as null`(kind: Kind) throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let error = try managedObjectError { try ada.setValue(1, forKey: "agee") }
    #expect(error.reason == .unknownKey && error.remedy.contains("age"))
    #expect(ada["agee"].isNull)
  }

  // Core Data: properties are set without throwing, and wrong ones do not stay unnoticed.
  @Test(arguments: stores) func `what a subscript could not set makes the next save throw`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = "old"
    let error = try managedObjectError { try office.context.save() }
    #expect(error.problems.map(\.key) == ["age"] && error.objectIDs == [ada.objectID])
  }

  // Core Data: NSManagedObject.setValue: the last value counts.
  @Test(arguments: stores) func `setting a proper value afterwards makes the save succeed`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = "old"
    ada["age"] = 40
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 40)
  }

  // Core Data: NSManagedObject.changedValues(): the properties changed since the last save.
  @Test(arguments: stores) func `changedValues has the changed attributes with their new values`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    #expect(ada.changedValues().isEmpty)
    (ada["age"], ada["code"]) = (37, "a")
    #expect(ada.changedValues() == ["age": 37, "code": "a"])
    try office.context.save()
    #expect(ada.changedValues().isEmpty)
  }

  // Core Data: NSManagedObject.hasPersistentChangedValues: setting the same value changes nothing.
  @Test(arguments: stores) func `setting the value that it has changes nothing`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 36
    #expect(!ada.hasChanges && !office.context.hasChanges)
  }

  // Core Data: NSManagedObject.hasPersistentChangedValues: compared with the saved values.
  @Test(arguments: stores) func `setting the saved value again leaves nothing to save`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    #expect(ada.isUpdated)
    ada["age"] = 36
    #expect(!ada.hasChanges && !office.context.hasChanges)
  }

  // Core Data: NSManagedObject.committedValues(forKeys:): the values last saved or fetched.
  @Test(arguments: stores) func `committedValue is the saved value until the next save`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    #expect(ada.committedValue(forKey: "age") == 36 && ada["age"] == 37)
    try office.context.save()
    #expect(ada.committedValue(forKey: "age") == 37)
  }

  // Core Data: NSManagedObject.committedValues(forKeys:): empty for a new object.
  @Test(arguments: stores) func `a new object has no committed values`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(try office.context.make("New").committedValue(forKey: "name").isNull)
  }

  // Core Data: NSManagedObject.changedValues(): a new object's values are all changed.
  @Test(arguments: stores) func `changedValues of a new object are all that are not null`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    #expect(new.changedValues() == ["name": "New", "age": 18, "isActive": .bool(true)])
  }

  // Core Data: NSManagedObject.isUpdated, NSManagedObjectContext.updatedObjects.
  @Test(arguments: stores) func `a changed object is among updatedObjects until it is saved`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    #expect(ada.isUpdated && office.context.updatedObjects == [ada])
    try office.context.save()
    #expect(!ada.isUpdated && office.context.updatedObjects.isEmpty)
  }

  // Core Data: NSManagedObjectContext.save(): only what has changed is written.
  @Test(arguments: stores) func `a save leaves attributes that did not change as they are`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 37
    try office.context.save()
    let ada = try office.anotherContext().named("Ada")
    #expect(ada.names("employer") == ["Acme"] && ada["isActive"] == .bool(true))
  }
}
