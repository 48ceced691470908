import CoreDataNames
import Foundation
import Testing

/// Batch requests, conflicts and validation with Core Data's spellings.
struct BatchAndConflictTests {
  private static let model = NSManagedObjectModel {
    Entity("Thing") {
      Attribute("name", .string, isOptional: false)
      Attribute("size", .integer64, default: 1)
      Unique("name")
    }
  }

  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init() {
    container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
    context = container.viewContext
  }

  @discardableResult
  private func thing(_ name: String, in context: NSManagedObjectContext? = nil) -> NSManagedObject {
    let thing = NSEntityDescription.insertNewObject(
      forEntityName: "Thing", into: context ?? self.context)
    thing.setValue(name, forKey: "name")
    return thing
  }

  private func sizes(_ format: String = "TRUEPREDICATE") throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request).map { $0.value(forKey: "size") as? Int ?? -1 }
  }

  // MARK: Batch requests

  @Test func `batch requests insert, update and delete, with the result that is asked for`() throws
  {
    let insert = NSBatchInsertRequest(
      entityName: "Thing", objects: [["name": "a", "size": 5], ["name": "b"], ["name": "c"]])
    insert.resultType = .objectIDs
    let inserted = try context.execute(insert) as? NSBatchInsertResult
    #expect((inserted?.result as? [NSManagedObjectID])?.count == 3)
    #expect(try sizes() == [5, 1, 1])

    let update = NSBatchUpdateRequest(entityName: "Thing")
    update.predicate = NSPredicate(format: "size == %d", 1)
    update.propertiesToUpdate = ["size": 9]
    update.resultType = .updatedObjectsCountResultType
    let updated = try context.execute(update) as? NSBatchUpdateResult
    #expect(updated?.result as? Int == 2)
    #expect(try sizes() == [5, 9, 9])

    let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Thing")
    fetchRequest.predicate = NSPredicate(format: "size == 9")
    let delete = NSBatchDeleteRequest(fetchRequest: fetchRequest)
    let deleted = try context.execute(delete) as? NSBatchDeleteResult
    #expect(deleted?.result as? Bool == true)
    #expect(try sizes() == [5])
  }

  @Test func `a batch request takes descriptions, and refuses a value that no attribute has`()
    throws
  {
    let entity = try #require(Self.model.entity(named: "Thing"))
    try context.execute(NSBatchInsertRequest(entity: entity, objects: [["name": "a"]]))
    let update = NSBatchUpdateRequest(entity: entity)
    let size = try #require(entity.attribute(named: "size"))
    update.propertiesToUpdate = [size: 4]
    try context.execute(update)
    #expect(try sizes() == [4])
    update.propertiesToUpdate = ["size": [1]]
    #expect(throws: (any Error).self) { try context.execute(update) }
  }

  @Test func `objects are deleted by their IDs`() throws {
    let (a, _) = (thing("a"), thing("b"))
    try context.save()
    let request = NSBatchDeleteRequest(objectIDs: [a.objectID])
    request.resultType = .resultTypeCount
    #expect(try (context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 1)
    #expect(try sizes() == [1])
  }

  // MARK: Conflicts

  @Test func `the error of a save has its merge conflicts`() throws {
    let thing = thing("a")
    try context.save()
    thing.setValue(2, forKey: "size")
    let other = NSManagedObjectContext(coordinator: container.persistentStoreCoordinator)
    other.object(with: thing.objectID).setValue(3, forKey: "size")
    try other.save()
    let error = try #require(throws: ManagedObjectError.self) { try context.save() } as NSError
    #expect(error.code == NSManagedObjectMergeError)
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    let conflict = try #require(conflicts?.first)
    #expect(context.object(with: conflict.objectID) === thing)
    #expect(conflict.objectSnapshot?["size"] == 2 && conflict.persistedSnapshot?["size"] == 3)
    #expect(conflict.cachedSnapshot?["size"] == 1)
    #expect(conflict.newVersionNumber != conflict.oldVersionNumber)
  }

  @Test func `the error of a save has its constraint conflicts`() throws {
    let (one, two) = (thing("a"), thing("a"))
    let error = try #require(throws: ManagedObjectError.self) { try context.save() } as NSError
    #expect(error.code == NSManagedObjectConstraintMergeError)
    let conflicts =
      error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.first?.constraint == ["name"])
    #expect(conflicts?.first?.conflictingObjectIDs == [one.objectID, two.objectID])
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try context.save()
    #expect(try sizes() == [1])
  }

  // MARK: Validation

  @Test func `a value is validated as Any`() throws {
    let thing = thing("a")
    try thing.validateValue("b", forKey: "name")
    try thing.validateValue(NSNumber(value: 3), forKey: "size")
    try thing.validateValue(nil, forKey: "size")
    #expect(throws: (any Error).self) { try thing.validateValue(nil, forKey: "name") }
    #expect(throws: (any Error).self) { try thing.validateValue("x", forKey: "size") }
    #expect(throws: (any Error).self) { try thing.validateValue([1], forKey: "size") }
  }
}
