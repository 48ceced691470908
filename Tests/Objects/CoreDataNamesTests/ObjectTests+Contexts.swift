import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Contexts with Core Data's spellings.
extension ObjectTests {
  @Test func `an ID leads to its object, also as a URL`() throws {
    #expect(thing.objectID.isTemporaryID)
    try context.save()
    let id: NSManagedObjectID = thing.objectID
    #expect(!id.isTemporaryID)
    let coordinator = container.persistentStoreCoordinator
    let url = id.uriRepresentation()
    #expect(url.scheme == "x-coredata")
    #expect(coordinator.managedObjectID(forURIRepresentation: url) == id)
    let others = ["x-coredata://other/Thing/p1", "https://example.org", "x-coredata://a/Thing"]
    for other in try others.map({ try #require(URL(string: $0)) }) {
      #expect(coordinator.managedObjectID(forURIRepresentation: other) == nil)
    }
    #expect(context.object(with: id) === thing)
    #expect(try context.existingObject(with: id) === thing)
    #expect(context.registeredObject(for: id) === thing)
  }

  @Test func `a read-only store has changes in memory, and the save throws`() throws {
    let folder = try TemporaryFolder()
    func open(isReadOnly: Bool) -> NSManagedObjectContext {
      let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
      container.persistentStoreDescriptions[0].url = folder.url("things.sqlite")
      container.persistentStoreDescriptions[0].isReadOnly = isReadOnly
      container.loadPersistentStores { _, error in #expect(error == nil) }
      return container.viewContext
    }
    let writable = open(isReadOnly: false)
    for text in ["a", "b"] {
      NSEntityDescription.insertNewObject(forEntityName: "Thing", into: writable)
        .setValue(text, forKey: "text")
    }
    try writable.save()
    let context = open(isReadOnly: true)
    let request = self.request
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    let old = try context.fetch(request)
    let new = NSManagedObject(entity: old[0].entity, insertInto: context)
    let changes: [() -> Void] = [
      { new.setValue("c", forKey: "text") }, { old[0].setValue("x", forKey: "text") },
      { context.delete(old[1]) },
    ]
    for change in changes {
      change()
      context.processPendingChanges()
      let error = try #require(throws: ManagedObjectError.self) { try context.save() } as NSError
      #expect(error.domain == NSCocoaErrorDomain && error.code == 513)
    }
    #expect(new.isInserted && old[0].isUpdated && old[1].isDeleted)
    #expect(old[0].value(forKey: "text") as? String == "x")
    context.rollback()
    try context.save()
    #expect(try context.fetch(request).map { $0.value(forKey: "text") as? String } == ["a", "b"])
  }

  @Test func `an object that was inserted and deleted is deleted until changes are processed`() {
    context.processPendingChanges()
    context.delete(thing)
    #expect(thing.isDeleted && !thing.isInserted)
    context.undo()
    #expect(!thing.isDeleted && thing.isInserted)
    context.delete(thing)
    context.processPendingChanges()
    #expect(!thing.isDeleted && context.deletedObjects.isEmpty && !context.hasChanges)
  }

  @Test func `a context knows the objects that are referenced`() {
    let entity = thing.entity
    var other: NSManagedObject? = NSManagedObject(entity: entity, insertInto: context)
    #expect(context.registeredObjects == Set([thing, other].compactMap(\.self)))
    context.delete(other!)
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
    other = nil
    #expect(context.registeredObjects == [thing])
  }

  @Test func `a deleted object is deleted by the save, and undo and rollback bring it back`() throws
  {
    try context.save()
    context.delete(thing)
    #expect(thing.isDeleted)
    #expect(context.deletedObjects == [thing])
    context.rollback()
    #expect(!thing.isDeleted)
    context.delete(thing)
    try context.save()
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")) == 0)
    context.undo()
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")) == 1)
    context.redo()
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")) == 0)
  }

  @Test func `undo groups, names and registration are those of UndoManager`() throws {
    let undoManager: UndoManager = try #require(context.undoManager)
    try context.save()
    undoManager.removeAllActions()
    undoManager.beginUndoGrouping()
    thing.setValue("a", forKey: "text")
    context.processPendingChanges()
    thing.setValue("b", forKey: "text")
    undoManager.setActionName("Write")
    undoManager.endUndoGrouping()
    #expect(undoManager.undoActionName == "Write")
    undoManager.undo()
    #expect(thing.value(forKey: "text") == nil)
    undoManager.disableUndoRegistration()
    #expect(!undoManager.isUndoRegistrationEnabled)
    thing.setValue("c", forKey: "text")
    undoManager.enableUndoRegistration()
    #expect(undoManager.isUndoRegistrationEnabled)
    #expect(!undoManager.canUndo)

    final class Counter { var count = 0 }
    let counter = Counter()
    counter.count = 1
    undoManager.registerUndo(withTarget: counter) { $0.count = 0 }
    undoManager.undo()
    #expect(counter.count == 0)
  }

  private var request: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Thing") }

  @Test func `merge policies have three spellings`() {
    let policies: [(NSMergePolicy, NSMergePolicy, NSMergePolicy)] = [
      (NSErrorMergePolicy, .error, NSMergePolicy(merge: .errorMergePolicyType)),
      (
        NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrump,
        NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
      ),
      (
        NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrump,
        NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
      ),
      (NSOverwriteMergePolicy, .overwrite, NSMergePolicy(merge: .overwriteMergePolicyType)),
      (NSRollbackMergePolicy, .rollback, NSMergePolicy(merge: .rollbackMergePolicyType)),
    ]
    for (constant, member, made) in policies {
      #expect(constant == member)
      #expect(member == made)
    }
    #expect(Set(policies.map(\.0)).count == 5)
  }

  @Test func `an object that is refreshed is a fault`() throws {
    thing.setValue("a", forKey: "text")
    try context.save()
    thing.setValue("b", forKey: "text")
    context.refresh(thing, mergeChanges: false)
    #expect(thing.isFault)
    #expect(thing.value(forKey: "text") as? String == "a")
    thing.setValue(3, forKey: "whole")
    context.refreshAllObjects()
    #expect(thing.value(forKey: "whole") as? Int == 3 && thing.isUpdated)
    context.rollback()
    context.reset()
    #expect(
      try context.existingObject(with: thing.objectID).value(forKey: "text") as? String == "a")
  }
}
