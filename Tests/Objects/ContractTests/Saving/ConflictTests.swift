import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

@Suite struct `Conflicts with the saves of other contexts` {
  // Core Data: NSErrorMergePolicy: the save throws, and the conflict is named.
  @Test(arguments: stores) func `under the policy error a conflict makes the save throw`(kind: Kind)
    throws
  {
    let (office, ada) = try changedElsewhere(kind) {
      $0["age"] = 40
    } theirs: {
      $0["age"] = 50
    }
    let error = try managedObjectError { try office.context.save() }
    #expect(error.reason == .conflict && error.objectIDs == [ada.objectID])
    #expect(office.context.conflicts[ada.objectID]?.myKeys == ["age"])
    #expect(office.context.conflicts[ada.objectID]?.theirKeys == ["age"])
    #expect(try ada["age"] == 40 && office.stored("Ada", "age") == 50)
  }

  // Core Data: NSMergePolicy.resolve(mergeConflicts:): by hand, object by object.
  @Test(
    arguments: stores,
    [
      (ContextConflict.Resolution.keepMine, 40), (.keepMyObject, 40), (.takeTheirs, 50),
      (.keepTheirProperties, 50),
    ] as [(ContextConflict.Resolution, Int64)])
  func `a conflict is resolved by hand`(
    kind: Kind, expected: (resolution: ContextConflict.Resolution, age: Int64)
  ) throws {
    let (office, ada) = try changedElsewhere(kind) {
      $0["age"] = 40
    } theirs: {
      $0["age"] = 50
    }
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    try office.context.resolveConflicts(expected.resolution, of: [ada.objectID])
    #expect(office.context.conflicts.isEmpty)
    try office.context.save()
    #expect(try office.stored("Ada", "age") == .integer(expected.age))
  }

  // Core Data: optimistic locking: of two who count from 36 to 37 one has not seen the other.
  @Test(arguments: stores) func `the same change in both contexts is a conflict`(kind: Kind) throws
  {
    let (office, ada) = try changedElsewhere(kind) {
      $0["age"] = .integer(($0.integer("age") ?? 0) + 1)
    } theirs: {
      $0["age"] = .integer(($0.integer("age") ?? 0) + 1)
    }
    let error = try managedObjectError { try office.context.save() }
    #expect(error.reason == .conflict && error.objectIDs == [ada.objectID])
    let property = try #require(error.mergeConflicts.first?.properties.first)
    #expect(
      property
        == ContextConflict.Property(
          name: "age", base: .value(36), mine: .value(37), theirs: .value(37), isMine: true,
          isTheirs: true))
    office.context.processPendingChanges()
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    office.context.rollback()
    #expect(ada["age"] == 37)
    ada["age"] = 38
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 38)
  }

  // Core Data: optimistic locking, where another process has saved, which nothing says here.
  @Test(arguments: [Kind.plain, .coreData])
  func `the same change by another process is a conflict`(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.makeStore(Office.model, in: folder)
    let here = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try Office.fill(here)
    let there = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(
        store: try SQLiteStore.open(path: folder.path("store"))))
    try here.named("Ada")["age"] = 37
    try there.named("Ada")["age"] = 37
    try there.save()
    #expect(try managedObjectError { try here.save() }.reason == .conflict)
    #expect(here.conflicts.count == 1 && here.hasChanges)
  }

  // Core Data: what two contexts do by deleting the same object is done.
  @Test(arguments: stores)
  func `what both have set to nil because they have deleted the same object is no conflict`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    try office.context.delete(office.context.named("Acme", "Company"))
    office.context.processPendingChanges()
    bob["age"] = 21
    try office.saveElsewhere { try $0.delete($0.named("Acme", "Company")) }
    try office.context.save()
    #expect(bob.object(forKey: "employer") == nil)
    #expect(try office.stored("Bob", "age") == 21)
  }

  // Core Data: NSMergePolicy.resolve(mergeConflicts:): property by property.
  @Test(arguments: stores) func `a conflict is resolved property by property`(kind: Kind) throws {
    let (office, ada) = try changedElsewhere(kind) {
      ($0["age"], $0["code"], $0["height"]) = (40, "mine", 1.5)
    } theirs: {
      ($0["age"], $0["code"], $0["isActive"]) = (50, "theirs", false)
      try $0.setObject(nil, forKey: "employer")
    }
    let error = try managedObjectError { try office.context.save() }
    let properties = try #require(error.mergeConflicts.first?.properties)
    #expect(properties.map(\.name).sorted() == ["age", "code", "employer", "height", "isActive"])
    #expect(Set(properties.filter(\.isConflict).map(\.name)) == ["age", "code"])
    let acme = try office.context.named("Acme", "Company").objectID
    #expect(properties.last?.mine == .object(acme) && properties.last?.theirs == .object(nil))
    try office.context.resolveConflict(of: ada.objectID, keeping: ["age", "height", "employer"])
    #expect(office.context.conflicts.isEmpty && ada.changedKeys == ["age", "height", "employer"])
    try office.context.save()
    let stored = try office.anotherContext().named("Ada")
    #expect(stored["age"] == 40 && stored["code"] == "theirs" && stored["height"] == 1.5)
    #expect(stored["isActive"] == false && stored.names("employer") == ["Acme"])
  }

  // Not in Core Data: nothing is overwritten that was not shown.
  @Test(arguments: stores) func `a conflict stays if the store has changed since it was found`(
    kind: Kind
  ) throws {
    let (office, ada) = try changedElsewhere(kind) {
      $0["age"] = 40
    } theirs: {
      $0["age"] = 50
    }
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    try office.saveElsewhere { try $0.named("Ada")["age"] = 60 }
    try office.context.resolveConflicts(.keepMine, of: [ada.objectID])
    #expect(office.context.conflicts[ada.objectID]?.persistedSnapshot?["age"] == 60)
    try office.context.resolveConflict(of: ada.objectID, keeping: ["age"])
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 40)
  }

  // Core Data: NSMergePolicy: a to-one relationship is a property like others.
  @Test(arguments: stores) func `a to-one relationship that both have set is a conflict`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (bob, other) = (try office.person("Bob"), office.anotherContext())
    try bob.setObject(office.person("Cyd"), forKey: "manager")
    try other.named("Bob").setObject(nil, forKey: "manager")
    try other.save()
    let error = try managedObjectError { try office.context.save() }
    #expect(error.reason == .conflict)
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("manager") == ["Cyd"])
  }
}
