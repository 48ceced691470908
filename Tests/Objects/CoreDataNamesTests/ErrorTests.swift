import CoreDataNames
import Foundation
import Testing

/// Errors of validation as an NSError: their codes, and what their `userInfo` has.
struct ErrorTests {
  private static func rule(_ name: String, _ type: AttributeType, _ predicate: String)
    -> AttributeDescription
  {
    AttributeDescription(
      name, type,
      details: AttributeDetails(
        property: PropertyDetails(validations: [ValidationRule(predicate)])))
  }

  private static let model = NSManagedObjectModel(entities: [
    EntityDescription(
      name: "Thing",
      attributes: [
        rule("size", .integer64, "SELF <= 10"), rule("least", .integer64, "SELF >= 1"),
        rule("long", .string, "length <= 3"), rule("short", .string, "length >= 2"),
        rule("code", .string, "SELF MATCHES '[a-z]+'"),
        rule("late", .date, "SELF < CAST(10, 'NSDate')"),
        rule("soon", .date, "SELF > CAST(10, 'NSDate')"),
      ])
  ])

  private func context() throws -> NSManagedObjectContext {
    let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    try container.load()
    return container.viewContext
  }

  @Test(arguments: [
    ("size", 1610), ("least", 1620), ("late", 1630), ("soon", 1640), ("long", 1660),
    ("short", 1670), ("code", 1680),
  ])
  func `a broken rule has its code, value, predicate and object`(_ key: String, _ code: Int) throws
  {
    let wrong: [String: Any] = [
      "size": 11, "least": 0, "late": Date(timeIntervalSinceReferenceDate: 20),
      "soon": Date(timeIntervalSinceReferenceDate: 0), "long": "abcd", "short": "a", "code": "A1",
    ]
    let context = try context()
    let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
    thing.setValue(wrong[key], forKey: key)
    let error = try #require(throws: ManagedObjectError.self) { try context.save() } as NSError
    #expect(error.domain == NSCocoaErrorDomain && error.code == code)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
    #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
    let value = error.userInfo[NSValidationValueErrorKey] as? NSObject
    #expect(value == thing.value(forKey: key) as? NSObject)
    let predicate = try #require(error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate)
    let rule = Self.model.entities[0].attributesByName[key]?.details.property.validations[0]
    #expect(predicate == NSPredicate(format: try #require(rule).predicate))
  }

  @Test func `an error that leaves the domain of its objects has none`() async throws {
    let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    try container.load()
    let error = await #expect(throws: ManagedObjectError.self) {
      try await container.performBackgroundTask { context in
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(11, forKey: "size")
        try context.save()
      }
    }
    let info = (try #require(error) as NSError).userInfo
    #expect(info[NSValidationKeyErrorKey] as? String == "size")
    #expect(info[NSValidationObjectErrorKey] == nil)
  }
}
