import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Objects with Core Data's spellings.
struct ObjectTests {
  static let model = NSManagedObjectModel {
    Entity("Owner") {
      Attribute("name", .string, isOptional: false)
      ToMany("things", "Thing", inverse: "owner")
      ToMany("list", "Thing", inverse: "lister", isOrdered: true)
    }
    Entity("Thing") {
      Attribute("text", .string)
      Attribute("whole", .integer64)
      Attribute("small", .integer16)
      Attribute("number", .double)
      Attribute("price", .decimal)
      Attribute("flag", .boolean)
      Attribute("date", .date)
      Attribute("data", .binaryData)
      Attribute("id", .uuid)
      Attribute("link", .uri)
      ToOne("owner", "Owner", inverse: "things")
      ToOne("lister", "Owner", inverse: "list")
    }
  }

  let container: NSPersistentContainer
  let context: NSManagedObjectContext
  let thing: NSManagedObject

  init() {
    container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
    context = container.viewContext
    thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
  }

  func owner(_ name: String) -> NSManagedObject {
    let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
    owner.setValue(name, forKey: "name")
    return owner
  }

  // MARK: Values

  @Test func `a number can be cast to any Swift number, as an NSNumber`() throws {
    thing.setValue(3, forKey: "whole")
    #expect(thing.value(forKey: "whole") as? Int == 3)
    #expect(thing.value(forKey: "whole") as? Int16 == 3)
    #expect(thing.value(forKey: "whole") as? Double == 3)
    #expect(thing.value(forKey: "whole") as? NSNumber == 3)
    thing.setValue(NSNumber(value: 4), forKey: "number")
    #expect(thing.value(forKey: "number") as? Double == 4)
    thing.setValue(UInt8(5), forKey: "small")
    #expect(thing.value(forKey: "small") as? Int16 == 5)
    thing.setValue(Decimal(string: "1.25"), forKey: "price")
    #expect(thing.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
    thing.setValue(NSDecimalNumber(string: "2.5"), forKey: "price")
    #expect((thing.value(forKey: "price") as? NSDecimalNumber)?.decimalValue == 2.5)
  }

  @Test(arguments: [true, false])
  func `a Boolean may be Swift's or an NSNumber`(_ truth: Bool) {
    thing.setValue(truth, forKey: "flag")
    #expect(thing.value(forKey: "flag") as? Bool == truth)
    thing.setValue(NSNumber(value: !truth), forKey: "flag")
    #expect(thing.value(forKey: "flag") as? Bool == !truth)
  }

  @Test func `numbers at the ends of their range are kept`() {
    for number in [Int64.min, .max] {
      thing.setValue(NSNumber(value: number), forKey: "whole")
      #expect(thing.value(forKey: "whole") as? Int64 == number)
    }
    thing.setValue(NSNumber(value: Int8(7)), forKey: "whole")
    #expect(thing.value(forKey: "whole") as? Int == 7)
    thing.setValue(NSNumber(value: 1.5), forKey: "number")
    #expect(thing.value(forKey: "number") as? Double == 1.5)
  }

  @Test func `other values are Swift's, and may be set as Foundation's classes`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1_000)
    let id = UUID()
    let url = try #require(URL(string: "https://example.org/a"))
    for isClass in [false, true] {
      thing.setValue(isClass ? "b" as NSString : "a", forKey: "text")
      thing.setValue(isClass ? date as NSDate : date, forKey: "date")
      thing.setValue(isClass ? Data([1]) as NSData : Data([1]), forKey: "data")
      thing.setValue(isClass ? id as NSUUID : id, forKey: "id")
      thing.setValue(isClass ? url as NSURL : url, forKey: "link")
      #expect(thing.value(forKey: "text") as? String == (isClass ? "b" : "a"))
      #expect(thing.value(forKey: "date") as? Date == date)
      #expect(thing.value(forKey: "data") as? Data == Data([1]))
      #expect(thing.value(forKey: "id") as? UUID == id)
      #expect(thing.value(forKey: "link") as? URL == url)
      for key in ["text", "date", "data", "id", "link"] {
        thing.setValue(isClass ? NSNull() : nil, forKey: key)
        #expect(thing.value(forKey: key) == nil)
      }
    }
  }

  @Test func `what an attribute cannot have makes the save throw, until it is set`() throws {
    thing.setValue("many", forKey: "whole")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    thing.setValue(1, forKey: "whole")
    thing.setValue(NSObject(), forKey: "text")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    thing.setValue("x", forKey: "text")
    thing.setValue("no object", forKey: "owner")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    thing.setValue(owner("Ada"), forKey: "owner")
    try context.save()
    thing.setValue(1, forKey: "nothing")
    #expect(throws: ManagedObjectError.self) { try context.save() }
  }

  @Test func `relationships are read and set as objects, sets and arrays`() throws {
    let ada = owner("Ada")
    let other = NSManagedObject(entity: thing.entity, insertInto: context)
    thing.setValue(ada, forKey: "owner")
    #expect(thing.value(forKey: "owner") as? NSManagedObject === ada)
    #expect(ada.value(forKey: "things") as? Set<NSManagedObject> == [thing])
    ada.setValue(NSSet(array: [thing, other]), forKey: "things")
    #expect((ada.value(forKey: "things") as? NSSet)?.count == 2)
    ada.setValue(Set([other]), forKey: "things")
    #expect(thing.value(forKey: "owner") == nil)
    ada.setValue(nil, forKey: "things")
    #expect((ada.value(forKey: "things") as? Set<NSManagedObject>)?.isEmpty == true)
    ada.setValue(NSOrderedSet(array: [other, thing]), forKey: "list")
    #expect(ada.value(forKey: "list") as? [NSManagedObject] == [other, thing])
    ada.setValue([thing, other], forKey: "list")
    #expect(ada.value(forKey: "list") as? [NSManagedObject] == [thing, other])
    thing.setValue(nil, forKey: "lister")
    #expect(ada.value(forKey: "list") as? [NSManagedObject] == [other])
  }

  @Test func `several properties are set and read at once`() throws {
    let ada = owner("Ada")
    thing.setValuesForKeys(["text": "a", "whole": 3, "number": NSNull(), "owner": ada])
    let values = thing.dictionaryWithValues(forKeys: ["text", "whole", "number", "owner"])
    #expect(values["text"] as? String == "a" && values["whole"] as? Int == 3)
    #expect(values["number"] is NSNull && values["owner"] as? NSManagedObject === ada)
  }

  @Test func `key paths lead through to-one relationships`() {
    #expect(thing.value(forKeyPath: "owner.name") == nil)
    thing.setValue("Bob", forKeyPath: "owner.name")
    thing.setValue(owner("Ada"), forKey: "owner")
    #expect(thing.value(forKeyPath: "owner.name") as? String == "Ada")
    thing.setValue("Bob", forKeyPath: "owner.name")
    #expect(thing.value(forKeyPath: "owner.name") as? String == "Bob")
  }

  @Test func `changed values are the new ones, committed values the old ones`() throws {
    thing.setValue("a", forKey: "text")
    thing.setValue(1, forKey: "whole")
    #expect(Set(thing.changedValues().keys) == ["text", "whole"])
    #expect(thing.committedValues(forKeys: nil).isEmpty)
    try context.save()
    #expect(thing.changedValues().isEmpty)
    let ada = owner("Ada")
    thing.setValue(nil, forKey: "text")
    thing.setValue(ada, forKey: "owner")
    let changed = thing.changedValues()
    #expect(Set(changed.keys) == ["text", "owner"])
    #expect(changed["text"] is NSNull)
    #expect(changed["owner"] as? NSManagedObject === ada)
    #expect(thing.committedValues(forKeys: ["text"]) as? [String: String] == ["text": "a"])
    #expect(thing.committedValues(forKeys: nil)["date"] is NSNull)
    #expect(thing.committedValues(forKeys: nil)["whole"] as? Int == 1)
    #expect(thing.committedValues(forKeys: nil)["owner"] == nil)
  }

  // MARK: Errors and models

  @Test func `an error is an NSError with Core Data's code`() throws {
    let nobody = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
    let error = try #require(throws: ManagedObjectError.self) { try context.save() }
    let single = error as NSError
    #expect(single.domain == NSCocoaErrorDomain)
    #expect(single.code == NSValidationMissingMandatoryPropertyError)
    #expect(single.userInfo[NSValidationKeyErrorKey] as? String == "name")
    #expect(single.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === nobody)
    #expect(single.userInfo[NSValidationValueErrorKey] == nil)
    #expect(single.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [nobody])
    #expect(single.localizedDescription == String(describing: error))
    let other = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
    let several = try #require(throws: ManagedObjectError.self) { try context.save() } as NSError
    #expect(several.code == NSValidationMultipleErrorsError)
    let details = try #require(several.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details.map(\.code) == [1570, 1570])
    let objects = details.map { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
    #expect(objects == [nobody, other])
  }

  @Test func `a conflict has the code of one`() throws {
    thing.setValue("a", forKey: "text")
    try context.save()
    let other = container.newBackgroundContext()
    try other.existingObject(with: thing.objectID).setValue("b", forKey: "text")
    try other.save()
    thing.setValue("c", forKey: "text")
    let error = try #require(throws: ManagedObjectError.self) { try context.save() } as NSError
    #expect(error.code == NSManagedObjectMergeError)
    #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [thing])
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try context.save()
  }

  @Test func `entities and properties are found by name`() throws {
    let entity = try #require(NSEntityDescription.entity(forEntityName: "Thing", in: context))
    #expect(NSEntityDescription.entity(forEntityName: "None", in: context) == nil)
    #expect(entity.attributesByName["small"]?.attributeType == .integer16AttributeType)
    #expect(entity.attributesByName.count == 10)
    let relationship: NSRelationshipDescription = try #require(entity.relationshipsByName["owner"])
    #expect(!relationship.isToMany)
    #expect(relationship.deleteRule == .nullifyDeleteRule)
    #expect(container.managedObjectModel.entitiesByName.keys.sorted() == ["Owner", "Thing"])
    #expect(container.persistentStoreCoordinator.managedObjectModel == Self.model)
  }

  @Test func `attribute types and delete rules have their long names`() {
    let types: [NSAttributeType] = [
      .undefinedAttributeType, .integer16AttributeType, .integer32AttributeType,
      .integer64AttributeType, .decimalAttributeType, .doubleAttributeType, .floatAttributeType,
      .stringAttributeType, .booleanAttributeType, .dateAttributeType, .binaryDataAttributeType,
      .UUIDAttributeType, .URIAttributeType, .transformableAttributeType,
    ]
    #expect(Set(types) == Set(NSAttributeType.allCases))
    let rules: [NSDeleteRule] = [
      .noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
    ]
    #expect(rules.map(\.rawValue) == ["noAction", "nullify", "cascade", "deny"])
  }

  @Test func `a mistake of the program traps`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let context = ObjectTests().context
        _ = NSEntityDescription.insertNewObject(forEntityName: "None", into: context)
      }
    }
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let container = NSPersistentContainer(name: "x", managedObjectModel: ObjectTests.model)
        _ = container.viewContext
      }
    }
    await #expect(processExitsWith: .failure) {
      await MainActor.run { _ = NSPredicate(format: "a ==") }
    }
    await #expect(processExitsWith: .failure) {
      await MainActor.run { ObjectTests().context.automaticallyMergesChangesFromParent = false }
    }
  }
}
