import Foundation
import ManagedObjects
import ObjectModel
import Testing

/// Objects by the identifier that the outside knows them by.
struct IdentifierTests {
  private final class Person: ManagedObject, EntityClass {
    static let entityName = "Person"
    static let name = AttributeKey<Person, String?>("name")
    static let objectId = AttributeKey<Person, String>("objectId")
  }

  private final class Place: ManagedObject, EntityClass {
    static let entityName = "Place"
    static let uniqueIdentifier = "code"
    static let shouldAutoGenerateGloballyUniqueIdentifiers = false
    static let code = AttributeKey<Place, Int>("code")
    static let name = AttributeKey<Place, String?>("name")
  }

  private let context = makeContext(
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        attributes: [
          AttributeDescription("objectId", .string, isOptional: false),
          AttributeDescription("name", .string), AttributeDescription("born", .date),
        ]),
      EntityDescription(
        name: "Place",
        attributes: [
          AttributeDescription("code", .integer64), AttributeDescription("name", .string),
        ]),
    ]))

  @Test func `a new object has the values of the dictionary and an identifier`() throws {
    let ada = try Person.newObject(
      from: ["name": "Ada", "born": Date(timeIntervalSince1970: 0)], in: context)
    #expect(ada[Person.name] == "Ada" && UUID(uuidString: ada[Person.objectId]) != nil)
    #expect(context.hasChanges)
    #expect(try Person.object(forUniqueIdentifier: ada[Person.objectId], in: context) === ada)
    #expect(try Person.object(forUniqueIdentifier: "nobody", in: context) == nil)
    let bob = try Person.newObject(
      from: ["name": "Bob", "objectId": "b"], in: context, saves: true)
    #expect(!context.hasChanges && bob[Person.objectId] == "b")
  }

  @Test func `a taken identifier is an error that names it`() throws {
    try Person.newObject(from: ["objectId": "a"], in: context)
    let error = #expect(throws: ManagedObjectError.self) {
      try Person.newObject(from: ["objectId": "a", "name": "Eve"], in: context)
    }
    #expect(error?.reason == .keyTaken)
    #expect(error?.description.contains("another Person has the objectId a") == true)
    #expect(try context.count(for: FetchRequest<Person>()) == 1)
  }

  @Test func `without generation an existing identifier means update`() throws {
    let first = try Place.newObject(from: ["code": 7, "name": "Pier"], in: context)
    let second = try Place.newObject(from: ["code": 7, "name": "Quay"], in: context, saves: true)
    #expect(first === second && first[Place.name] == "Quay")
    let error = #expect(throws: ManagedObjectError.self) {
      try Place.newObject(from: ["name": "Pier"], in: context)
    }
    #expect(error?.description.contains("setting code") == true)
    let third = try Place.upsert(from: ["code": 8, "name": String?.none], in: context)
    #expect(third !== first && third[Place.name] == nil)
  }

  @Test func `a wrong key or value changes nothing and is named`() throws {
    let unknown = #expect(throws: ManagedObjectError.self) {
      try Person.newObject(from: ["name": "Ada", "nmae": "x"], in: context)
    }
    #expect(unknown?.reason == .unknownKey)
    #expect(unknown?.description.contains("nmae") == true)
    #expect(unknown?.remedy.contains("name") == true)
    let wrong = #expect(throws: ManagedObjectError.self) {
      try Person.newObject(from: ["name": "Ada", "born": "yesterday"], in: context)
    }
    #expect(wrong?.reason == .wrongType && wrong?.description.contains("born") == true)
    #expect(!context.hasChanges)
  }

  @Test func `one object, many and their number are fetched in one line`() throws {
    for name in ["Ada", "Bob", "Cid"] { try Person.newObject(from: ["name": name], in: context) }
    let request = FetchRequest<Person>(sortDescriptors: [Person.name.descending])
    #expect(try context.fetchOne(request)?[Person.name] == "Cid")
    #expect(try context.count(for: request) == 3)
    #expect(try Person.objects(where: Person.name > "Ada", in: context).count == 2)
    #expect(try Person.object(where: Person.name == "Bob", in: context)?[Person.name] == "Bob")
    var saved = request
    saved.includesPendingChanges = false
    #expect(try context.count(for: saved) == 0)
    var unknown = FetchRequest<ManagedObject>(entityName: "Persn")
    unknown.fetchLimit = 1
    #expect(throws: ManagedObjectError.self) { try context.count(for: unknown) }
  }

  @Test func `an update that would change the key of a row changes nothing`() throws {
    final class Row: ManagedObject, EntityClass {
      static let entityName = "Row"
      static let uniqueIdentifier = "code"
      static let amount = AttributeKey<Row, Int?>("amount")
    }
    let names = ["id", "code", "amount"]
    let context = makeContext(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Row", attributes: names.map { AttributeDescription($0, .integer64) },
          keyAttributes: ["id"])
      ]))
    let row = try Row.newObject(from: ["id": 1, "code": 7, "amount": 2], in: context, saves: true)
    #expect(throws: ManagedObjectError.self) {
      try Row.upsert(from: ["id": 9, "code": 7, "amount": 3], in: context)
    }
    #expect(!context.hasChanges && row[Row.amount] == 2)
    try Row.upsert(from: ["id": 1, "code": 7, "amount": 3], in: context)
    #expect(row[Row.amount] == 3)
  }
}
