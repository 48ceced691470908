import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

@Suite struct `Fetched properties` {
  private func names(_ object: ManagedObject, _ key: String) throws -> [String] {
    try object.fetchedObjects(forKey: key).map { $0.string("name") }
  }

  // Core Data: NSFetchedPropertyDescription, $FETCH_SOURCE in its predicate.
  @Test(arguments: stores) func `has the objects of its request, in its order`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob, cyd) = (
      try office.person("Ada"), try office.person("Bob"), try office.person("Cyd")
    )
    try office.context.make("Ben").setObject(ada.object(forKey: "employer"), forKey: "employer")
    try office.context.save()
    #expect(try names(ada, "colleagues") == ["Bob", "Ben"])
    #expect(try names(bob, "colleagues") == ["Ben", "Ada"])
    #expect(try names(cyd, "colleagues") == [])
    #expect(try names(bob, "elder") == ["Cyd"])
    #expect(try names(ada, "elder") == [])
    #expect(try names(bob, "petsOfReports") == [])
    #expect(try names(ada, "likedPeople") == ["Ada"])
  }

  // Core Data: $FETCHED_PROPERTY is the description.
  @Test(arguments: stores) func `knows its own user info`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(try names(office.person("Cyd"), "badges") == ["red"])
  }

  // Core Data: "You must use refreshObject:mergeChanges: to manually refresh the properties".
  @Test(arguments: stores) func `stays the same until the object is refreshed`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    #expect(try names(ada, "colleagues") == ["Bob"])
    let acme = ada.object(forKey: "employer")
    let ben = try office.context.make("Ben")
    try ben.setObject(acme, forKey: "employer")
    #expect(try names(ada, "colleagues") == ["Bob"])
    office.context.refresh(ada, mergeChanges: true)
    #expect(try names(ada, "colleagues") == ["Bob", "Ben"], "an unsaved object")
    try office.context.save()
    #expect(try names(ada, "colleagues") == ["Bob", "Ben"], "with its permanent ID")
    try office.context.delete(ben)
    try office.context.save()
    #expect(try names(ada, "colleagues") == ["Bob"], "a deleted object is left out")
    try office.person("Cyd").setObject(acme, forKey: "employer")
    try office.context.save()
    office.context.reset()
    #expect(try names(ada, "colleagues") == ["Cyd", "Bob"])
  }

  // Core Data: fetched properties are transient.
  @Test(arguments: stores) func `is no change, and not saved`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    _ = try ada.fetchedObjects(forKey: "colleagues")
    #expect(!office.context.hasChanges)
    #expect(ada.changedKeys.isEmpty)
    #expect(throws: ManagedObjectError.self) { try ada.setValue("x", forKey: "colleagues") }
  }

  // Core Data raises for an unknown key, and for a predicate that does not fit.
  @Test(arguments: stores) func `says what is wrong with it`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let error = try managedObjectError { _ = try ada.fetchedObjects(forKey: "colleages") }
    #expect(error.description.contains("no fetched property of that name"))
    #expect(error.description.contains("try: colleagues"))
    #expect(throws: FetchPredicateError.self) { try ada.fetchedObjects(forKey: "broken") }
  }

  // Core Data: sub-entities inherit fetched properties; a typed key reads them.
  @Test(arguments: stores) func `is read by a typed key, and inherited`(kind: Kind) throws {
    class Person: ManagedObject, EntityClass {
      class var entityName: String { "Person" }
      static let colleagues = FetchedPropertyKey<Person, Person>("colleagues")
      static let broken = FetchedPropertyKey<Person, Person>("broken")
    }
    final class Student: Person {
      override class var entityName: String { "Student" }
    }
    let office = try Office(kind)
    office.context.register([Person.self, Student.self])
    let ada = try #require(try office.person("Ada") as? Person)
    let cyd = try #require(try office.person("Cyd") as? Student)
    try cyd.setObject(ada.object(forKey: "employer"), forKey: "employer")
    let found: [Person] = ada[Person.colleagues]
    #expect(found.map { $0.string("name") } == ["Cyd", "Bob"])
    #expect(cyd[Person.colleagues].count == 2)
    var reported = 0
    office.context.onError = { _ in reported += 1 }
    #expect(ada[Person.broken].isEmpty)
    #expect(reported == 1)
  }

  // Core Data: a fetched property is no part of the version hash of its entity.
  @Test(arguments: [Kind.plain, .coreData])
  func `is kept in the file, which opens with a model without it too`(kind: Kind) throws {
    let folder = try TemporaryFolder()
    do {
      let coordinator = PersistentStoreCoordinator(
        store: try kind.makeStore(Office.model, in: folder))
      try Office.fill(ManagedObjectContext(coordinator: coordinator))
    }
    let plain = ManagedObjectModel(
      entities: Office.model.entities.map { entity in
        var details = entity.details
        details.fetchedProperties = []
        return EntityDescription(
          name: entity.name, superentityName: entity.superentityName, isAbstract: entity.isAbstract,
          attributes: entity.attributes, relationships: entity.relationships,
          uniquenessConstraints: entity.uniquenessConstraints, details: details)
      })
    for expected in [nil, Office.model, plain] {
      var options = SQLiteStore.Options()
      options.expectedModel = expected
      let store = try SQLiteStore.open(path: folder.path("store"), options: options)
      let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      let ada = try context.named("Ada")
      #expect(try names(ada, "colleagues") == ["Bob"])
      #expect(try names(ada, "badges") == ["red"])
    }
  }
}
