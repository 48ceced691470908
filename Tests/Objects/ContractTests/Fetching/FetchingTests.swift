import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Fetching objects` {
  /// The names of what a request returns, in its order.
  private func names(_ context: ManagedObjectContext, _ request: FetchRequest<ManagedObject>) throws
    -> [String]
  {
    try context.fetch(request).map { $0.string("name") }
  }

  private func people(
    _ format: String? = nil, by descriptors: [FetchSortDescriptor] = [FetchSortDescriptor("name")]
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Person", predicate: try format.map { try FetchPredicate(format: $0) },
      sortDescriptors: descriptors)
  }

  // Core Data: NSFetchRequest.predicate nil: all objects of the entity.
  @Test(arguments: stores) func `a request without a predicate returns all objects`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    #expect(try names(office.context, people()) == ["Ada", "Bob", "Cyd"])
  }

  @Test(arguments: stores) func `every kind of store keeps the contract of stores`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    #expect(try StoreContract(office.coordinator.store).violations() == [])
    withExtendedLifetime(office) {}
  }

  // Core Data: NSFetchRequest.sortDescriptors: in the order of the descriptors.
  @Test(arguments: stores) func `results are in the order of the sort descriptors`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let context = office.context
    #expect(
      try names(context, people(by: [.init("age", ascending: false)])) == ["Ada", "Cyd", "Bob"])
    #expect(
      try names(context, people(by: [.init("isActive"), .init("name", ascending: false)]))
        == ["Cyd", "Bob", "Ada"])
  }

  // Core Data: NSSortDescriptor with a key path.
  @Test(arguments: stores) func `an order may lead through a to-one relationship`(kind: Kind) throws
  {
    let office = try Office(kind)
    #expect(
      try names(
        office.context, people(by: [.init("manager.name", ascending: false), .init("name")]))
        == ["Bob", "Ada", "Cyd"])
  }

  // Core Data: NSSortDescriptor with caseInsensitiveCompare(_:).
  @Test(arguments: stores) func `an order may ignore case`(kind: Kind) throws {
    let office = try Office(kind)
    for name in ["bert", "ANNA"] { try office.context.make(name) }
    try office.context.save()
    #expect(
      try names(office.context, people(by: [.init("name", comparison: .caseInsensitive)]))
        == ["Ada", "ANNA", "bert", "Bob", "Cyd"])
  }

  // Core Data: NSSortDescriptor: nil comes first in ascending order.
  @Test(arguments: stores) func `null comes before every value`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Bob")["age"] = .null
    try office.context.save()
    #expect(try names(office.context, people(by: [.init("age")])) == ["Bob", "Cyd", "Ada"])
  }

  // Core Data: NSFetchRequest.fetchLimit, fetchOffset.
  @Test(arguments: stores) func `limit and offset cut out a part of the results`(kind: Kind) throws
  {
    let office = try Office(kind)
    var request = try people()
    (request.fetchLimit, request.fetchOffset) = (1, 1)
    #expect(try names(office.context, request) == ["Bob"])
    request.fetchOffset = 3
    #expect(try names(office.context, request) == [])
    (request.fetchLimit, request.fetchOffset) = (0, 1)
    #expect(try names(office.context, request) == ["Bob", "Cyd"])
  }

  // Core Data: NSFetchRequest.fetchLimit with unsaved changes.
  @Test(arguments: stores) func `a limit counts unsaved objects, and not deleted ones`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.context.make("Abe")
    try office.context.delete(office.person("Bob"))
    var request = try people()
    request.fetchLimit = 3
    #expect(try names(office.context, request) == ["Abe", "Ada", "Cyd"])
  }

  // Core Data: NSFetchRequest.includesSubentities.
  @Test(arguments: stores) func `sub-entities are included unless the request excludes them`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    var request = try people()
    request.includesSubentities = false
    #expect(try names(office.context, request) == ["Ada", "Bob"])
    #expect(try office.context.count(for: request) == 2)
    request.entityName = "Student"
    #expect(try names(office.context, request) == ["Cyd"])
  }

  // Core Data: NSFetchRequest of an abstract entity: the objects of its sub-entities.
  @Test(arguments: stores) func `an abstract entity has the objects of its sub-entities`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    #expect(try office.context.names("Party") == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSFetchRequest.includesPendingChanges: true by default.
  @Test(arguments: stores) func `unsaved changes are included, in order`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("Abe")
    try office.person("Bob")["name"] = "Zoe"
    try office.context.delete(office.person("Cyd"))
    #expect(try names(office.context, people()) == ["Abe", "Ada", "Zoe"])
  }

  // Core Data: NSFetchRequest.includesPendingChanges false: what is in the store.
  @Test(arguments: stores) func `without pending changes the store's results are returned`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    try office.context.make("Abe")
    let bob = try office.person("Bob")
    bob["name"] = "Zoe"
    var request = try people("name == 'Bob'")
    request.includesPendingChanges = false
    #expect(try office.context.fetch(request) == [bob])
    request.predicate = nil
    #expect(try office.context.count(for: request) == 3)
  }

  // Core Data: NSManagedObjectContext.fetch: a predicate is compared with unsaved values.
  @Test(arguments: stores) func `a predicate is met by unsaved values, not by the saved ones`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 10
    #expect(try office.context.names(where: "age == 36") == [])
    #expect(try office.context.names(where: "age == 10") == ["Ada"])
  }

  // Core Data: NSManagedObjectContext.fetch: and with unsaved relationships.
  @Test(arguments: stores) func `a predicate follows unsaved relationships`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Cyd").setObject(office.context.named("Acme", "Company"), forKey: "employer")
    try office.context.named("Rex", "Pet").setObject(office.person("Bob"), forKey: "owner")
    #expect(try office.context.names(where: "employer.name == 'Acme'") == ["Ada", "Bob", "Cyd"])
    #expect(try office.context.names(where: "ANY pets.name == 'Rex'") == ["Bob"])
    #expect(try office.context.names("Company", where: "employees.@count == 3") == ["Acme"])
  }

  // Core Data: NSManagedObjectContext.count(for:).
  @Test(arguments: stores) func `a count is the number of results, unsaved ones included`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    try office.context.make("Abe")
    #expect(try office.context.count(for: people("age < 30")) == 3)
    #expect(try office.context.count(for: people("age > 100")) == 0)
  }

  // Core Data: NSFetchRequest.fetchLimit 1.
  @Test(arguments: stores) func `fetchOne returns the first object, or nil`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(try office.context.fetchOne(people())?["name"] == "Ada")
    #expect(try office.context.fetchOne(people("age > 100")) == nil)
  }

  // Core Data: NSFetchRequest with an unknown entity raises.
  @Test(arguments: stores) func `an unknown entity is an error`(kind: Kind) throws {
    let office = try Office(kind)
    let error = try managedObjectError {
      _ = try office.context.fetch(FetchRequest<ManagedObject>(entityName: "Persons"))
    }
    #expect(error.reason == .unknownEntity && error.remedy.contains("Person"))
  }

  // Core Data: a key path that does not exist raises.
  @Test(arguments: stores) func `an unknown key in a predicate is an error`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(throws: FetchPredicateError.self) {
      try office.context.names(where: "agee == 3")
    }
  }

  // Core Data: an unknown key of a sort descriptor raises.
  @Test(arguments: stores) func `an unknown key in an order is an error`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(throws: (any Error).self) { try names(office.context, people(by: [.init("agee")])) }
  }

  // Core Data: NSFetchRequest.resultType .dictionaryResultType, propertiesToFetch.
  @Test(arguments: stores) func `dictionaries have the properties to fetch`(kind: Kind) throws {
    let office = try Office(kind)
    let rows = try office.context.fetchDictionaries(
      people(), propertiesToFetch: ["name", "manager.name"])
    #expect(
      rows == [
        ["name": "Ada", "manager.name": .null], ["name": "Bob", "manager.name": "Ada"],
        ["name": "Cyd", "manager.name": .null],
      ])
  }

  // Core Data: NSFetchRequest.returnsDistinctResults.
  @Test(arguments: stores) func `distinct dictionaries are returned once`(kind: Kind) throws {
    let office = try Office(kind)
    let rows = try office.context.fetchDictionaries(
      people(), propertiesToFetch: ["employer.name"], returnsDistinctResults: true)
    #expect(rows == [["employer.name": "Acme"], ["employer.name": .null]])
  }

  // Core Data: NSFetchRequest.propertiesToFetch: an unknown one raises.
  @Test(arguments: stores) func `an unknown property to fetch is an error`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(throws: ManagedObjectError.self) {
      try office.context.fetchDictionaries(people(), propertiesToFetch: ["agee"])
    }
  }

  // Core Data: NSFetchRequest<ResultType>: results are of the class of the entity.
  @Test(arguments: stores) func `a typed request returns objects of its class`(kind: Kind) throws {
    final class Company: ManagedObject, EntityClass {
      static var entityName: String { "Company" }
    }
    let office = try Office(kind)
    let companies = try office.context.fetch(Company.fetchRequest())
    #expect(companies.map { $0.string("name") } == ["Acme"])
  }

  // Core Data: NSFetchRequest.fetchBatchSize does not change the results.
  @Test(arguments: stores, [1, 2, 100])
  func `a batch size changes nothing but when rows are read`(kind: Kind, size: Int) throws {
    let office = try Office(kind)
    var request = try people()
    request.fetchBatchSize = size
    #expect(try names(office.context, request) == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: a temporary ID in a predicate finds what leads to the unsaved object.
  @Test(arguments: stores) func `a predicate compares with an unsaved object`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New", "Company")
    try office.person("Cyd").setObject(new, forKey: "employer")
    let request = FetchRequest<ManagedObject>(
      entityName: "Person", predicate: try FetchPredicate(format: "employer == %@", new.objectID))
    #expect(try names(office.context, request) == ["Cyd"])
  }

  // Core Data: NSManagedObjectModel.fetchRequestFromTemplate(withName:substitutionVariables:).
  @Test(arguments: stores) func `a template is fetched with values for its variables`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let names: [String] = ["Ada", "Bob", "Cyd"]
    var request = try office.context.fetchRequest(
      fromTemplate: "older", substituting: ["AGE": 20, "NAMES": names])
    #expect(try self.names(office.context, request) == ["Cyd", "Ada"])
    request.fetchLimit = 1
    #expect(try self.names(office.context, request) == ["Cyd"])
    let again = try office.context.fetchRequest(
      fromTemplate: "older", substituting: ["AGE": 30, "NAMES": names])
    #expect(try self.names(office.context, again) == ["Ada"])
    let companies = try office.context.fetchRequest(fromTemplate: "companies")
    #expect(try self.names(office.context, companies) == ["Acme"])
  }

  // Core Data: fetchRequestTemplate(forName:) is nil; a variable without a value raises.
  @Test(arguments: stores) func `an unknown template is an error, and a variable without a value`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let error = try managedObjectError { _ = try office.context.fetchRequest(fromTemplate: "oder") }
    #expect(error.reason == .unknownKey && error.remedy == "older")
    let request = try office.context.fetchRequest(fromTemplate: "older", substituting: ["AGE": 20])
    #expect(throws: (any Error).self) { try office.context.fetch(request) }
  }
}
