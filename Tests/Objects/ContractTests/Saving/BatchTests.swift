import FetchedResults
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Batch requests` {
  private func inserting(_ names: String...) -> BatchInsertRequest {
    BatchInsertRequest(
      entityName: "Person", objects: names.map { ["name": .string($0), "age": 7] })
  }

  private func aging(where format: String? = nil) throws -> BatchUpdateRequest {
    BatchUpdateRequest(
      entityName: "Person", predicate: try format.map { try FetchPredicate(format: $0) },
      propertiesToUpdate: ["age": 99])
  }

  private func deleting(_ format: String) throws -> BatchDeleteRequest {
    BatchDeleteRequest(
      FetchRequest<ManagedObject>(
        entityName: "Person", predicate: try FetchPredicate(format: format)))
  }

  // Core Data: NSBatchInsertRequest: the objects are in the store without a save.
  @Test(arguments: stores) func `an insertion is in the store without a save`(kind: Kind) throws {
    let office = try Office(kind)
    let result = try office.context.execute(inserting("Dan", "Eve"))
    #expect(result.insertedObjectIDs.count == 2 && !office.context.hasChanges)
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd", "Dan", "Eve"])
    #expect(try office.stored("Eve", "age") == 7)
  }

  // Core Data: NSBatchInsertRequest: attributes that are not given have their default values.
  @Test(arguments: stores) func `an insertion has default values`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.execute(
      BatchInsertRequest(entityName: "Person", objects: [["name": "Dan"]]))
    #expect(try office.stored("Dan", "age") == 18)
    #expect(try office.stored("Dan", "isActive") == .bool(true))
  }

  // Core Data: NSBatchInsertRequest into a sub-entity.
  @Test(arguments: stores) func `an insertion is of its own entity`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.execute(
      BatchInsertRequest(entityName: "Student", objects: [["name": "Dan", "school": "ETH"]]))
    let dan = try office.person("Dan")
    #expect(dan.entity.name == "Student" && dan["school"] == "ETH")
  }

  // Core Data: NSBatchInsertRequest follows the merge policy where there is a constraint.
  @Test(arguments: stores) func `an insertion follows the merge policy`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["code"] = "x"
    try office.context.save()
    let request = BatchInsertRequest(
      entityName: "Person", objects: [["name": "Ava", "code": "x"], ["name": "Dan"]])
    #expect(throws: ManagedObjectError.self) { try office.context.execute(request) }
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let result = try office.context.execute(request)
    #expect(result.insertedObjectIDs.count == 1 && result.updatedObjectIDs == [ada.objectID])
    #expect(ada["name"] == "Ava")
  }

  // Core Data: NSBatchUpdateRequest: the objects that meet the predicate.
  @Test(arguments: stores) func `an update changes what meets its predicate`(kind: Kind) throws {
    let office = try Office(kind)
    let result = try office.context.execute(aging(where: "age < 30"))
    #expect(result.updatedObjectIDs.count == 2)
    #expect(try office.anotherContext().names(where: "age == 99") == ["Bob", "Cyd"])
    #expect(try office.stored("Ada", "age") == 36)
  }

  // Core Data: NSBatchUpdateRequest.predicate nil, includesSubentities.
  @Test(arguments: stores) func `an update may leave out sub-entities`(kind: Kind) throws {
    let office = try Office(kind)
    var request = try aging()
    request.includesSubentities = false
    try office.context.execute(request)
    #expect(try office.anotherContext().names(where: "age == 99") == ["Ada", "Bob"])
  }

  // Core Data: NSBatchUpdateRequest.propertiesToUpdate with nil.
  @Test(arguments: stores) func `an update sets null`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.execute(
      BatchUpdateRequest(entityName: "Person", propertiesToUpdate: ["age": .null]))
    #expect(try office.anotherContext().names(where: "age == nil") == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSBatchUpdateRequest: a predicate is met by the values in the store.
  @Test(arguments: stores) func `an update does not see unsaved changes`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("Dan")["age"] = 20
    try office.person("Bob")["name"] = "Bert"
    try office.context.execute(aging(where: "name == 'Bob'"))
    #expect(try office.stored("Bob", "age") == 99)
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
    #expect(office.context.changeCounts == (1, 1, 0))
  }

  // Core Data: NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:), here by itself.
  @Test(arguments: stores) func `objects of the context have what was written`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, cyd) = (try office.person("Ada"), try office.person("Cyd"))
    #expect(ada["age"] == 36 && cyd["age"] == 25)
    try office.context.execute(aging(where: "name == 'Ada'"))
    try office.context.execute(deleting("name == 'Cyd'"))
    #expect(ada["age"] == 99 && !ada.hasChanges && !cyd.isAccessible)
  }

  // Core Data: NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:).
  @Test(arguments: stores) func `other contexts merge what was written`(kind: Kind) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    let ada = try other.named("Ada")
    _ = ada["age"]
    try office.context.execute(aging())
    let change = other.processPendingChanges()
    #expect(ada["age"] == 99 && change?.refreshed.contains(ada.objectID) == true)
  }

  // Core Data: unsaved changes of what a batch has changed are a conflict.
  @Test(arguments: stores) func `an unsaved change of the same attribute is a conflict`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    try office.context.execute(aging(where: "name == 'Ada'"))
    #expect(ada["age"] == 1)
    #expect(office.context.conflicts[ada.objectID]?.persistedSnapshot?["age"] == 99)
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
  }

  // Not in Core Data: lists follow batch requests.
  @Test(arguments: stores) func `a list follows batch requests`(kind: Kind) throws {
    let office = try Office(kind)
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "Person", sortDescriptors: [.init("age"), .init("name")]),
      context: office.context)
    try controller.performFetch()
    var names: [String] { controller.fetchedObjects?.map { $0.string("name") } ?? [] }
    #expect(names == ["Bob", "Cyd", "Ada"])
    try office.context.execute(inserting("Dan"))
    #expect(names == ["Dan", "Bob", "Cyd", "Ada"])
    try office.context.execute(aging(where: "name == 'Bob'"))
    #expect(names == ["Dan", "Cyd", "Ada", "Bob"])
    try office.context.execute(deleting("age < 30"))
    #expect(names == ["Ada", "Bob"])
  }

  // Core Data: NSBatchDeleteRequest(fetchRequest:).
  @Test(arguments: stores) func `a deletion deletes what its request fetches`(kind: Kind) throws {
    let office = try Office(kind)
    let result = try office.context.execute(deleting("age < 30"))
    #expect(result.deletedObjectIDs.count == 2)
    #expect(try office.anotherContext().names() == ["Ada"])
  }

  // Core Data: NSBatchDeleteRequest(objectIDs:).
  @Test(arguments: stores) func `a deletion deletes objects by their IDs`(kind: Kind) throws {
    let office = try Office(kind)
    let ids = try ["Bob", "Cyd"].map { try office.person($0).objectID }
    let result = try office.context.execute(BatchDeleteRequest(objectIDs: ids))
    #expect(result.deletedObjectIDs == ids.sorted())
    #expect(try office.context.execute(BatchDeleteRequest(objectIDs: ids)) == BatchResult())
    #expect(try office.anotherContext().names() == ["Ada"])
  }

  // Core Data: NSBatchDeleteRequest follows only some delete rules, here all.
  @Test(arguments: stores) func `a deletion follows delete rules`(kind: Kind) throws {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    let result = try office.context.execute(deleting("name == 'Ada'"))
    #expect(result.deletedObjectIDs.count == 5 && result.updatedObjectIDs.contains(bob.objectID))
    #expect(try office.anotherContext().names("Toy") == [] && bob.object(forKey: "manager") == nil)
  }

  // Core Data: NSDeleteRule.denyDeleteRule.
  @Test(arguments: stores) func `a deletion that a rule denies deletes nothing`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Bob").add(office.context.make("I1", "Invoice"), forKey: "invoices")
    try office.context.save()
    let error = try managedObjectError { try office.context.execute(deleting("TRUEPREDICATE")) }
    #expect(error.reason == .denied)
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: batch requests do not register undo.
  @Test(arguments: stores) func `batch requests are not undone`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.execute(aging())
    #expect(!office.context.undoHistory.canUndo)
  }

  // Core Data: batch requests call no methods of objects.
  @Test(arguments: stores) func `batch requests call no hooks`(kind: Kind) throws {
    final class Mute: ManagedObject {
      struct Called: Error {}
      override func validateForInsert() throws { throw Called() }
      override func validateForUpdate() throws { throw Called() }
      override func validateForDelete() throws { throw Called() }
    }
    let office = try Office(kind)
    office.context.register(Mute.self, forEntity: "Person")
    try office.context.execute(inserting("Dan"))
    try office.context.execute(aging())
    try office.context.execute(deleting("TRUEPREDICATE"))
    #expect(try office.anotherContext().names() == [])
  }

  // Core Data: a batch request is one transaction.
  @Test(arguments: stores) func `a batch that is not valid writes nothing`(kind: Kind) throws {
    let office = try Office(kind)
    let request = BatchInsertRequest(
      entityName: "Person", objects: [["name": "Dan"], ["age": 3]])
    let error = try managedObjectError { try office.context.execute(request) }
    #expect(error.problems.map(\.key) == ["name"])
    #expect(throws: ManagedObjectError.self) {
      try office.context.execute(
        BatchUpdateRequest(entityName: "Person", propertiesToUpdate: ["name": .null]))
    }
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: unknown names and values of another type raise.
  @Test(arguments: stores) func `unknown names and values of another type are errors`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    func reason(_ entityName: String, _ values: [String: Value]) throws
      -> ManagedObjectError.Reason
    {
      try managedObjectError {
        try office.context.execute(
          BatchUpdateRequest(entityName: entityName, propertiesToUpdate: values))
      }.reason
    }
    #expect(try reason("Persons", ["age": 1]) == .unknownEntity)
    #expect(try reason("Person", ["agee": 1]) == .unknownKey)
    #expect(try reason("Person", ["age": "old"]) == .wrongType)
    #expect(throws: ManagedObjectError.self) {
      try office.context.execute(BatchInsertRequest(entityName: "Party", objects: [[:]]))
    }
  }

  // Core Data: batch requests are for many objects.
  @Test(arguments: stores) func `three thousand objects are inserted, changed and deleted`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind, isEmpty: true)
    let objects = (0..<3_000).map { ["name": Value.string("\($0)"), "age": .integer(Int64($0))] }
    let request = BatchInsertRequest(entityName: "Person", objects: objects)
    #expect(try office.context.execute(request).insertedObjectIDs.count == 3_000)
    #expect(try office.context.execute(aging(where: "age >= 1000")).updatedObjectIDs.count == 2_000)
    #expect(try office.context.execute(deleting("age != 99")).deletedObjectIDs.count == 999)
    #expect(
      try office.context.count(for: FetchRequest<ManagedObject>(entityName: "Person")) == 2_001)
  }
}
