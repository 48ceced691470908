import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

@Suite struct `Merging the saves of other contexts` {
  /// Another context has saved a change of Ada; hers in the first context is read and unsaved.
  private func changedElsewhere(
    _ kind: Kind, _ policy: MergePolicy = .error, mine: (ManagedObject) throws -> Void,
    theirs: (ManagedObject) throws -> Void
  ) throws -> (office: Office, ada: ManagedObject) {
    let office = try Office(kind)
    office.context.mergePolicy = policy
    let ada = try office.person("Ada")
    try mine(ada)
    try office.saveElsewhere { try theirs($0.named("Ada")) }
    return (office, ada)
  }

  // Core Data: NSManagedObjectContext.automaticallyMergesChangesFromParent.
  @Test(arguments: stores) func `an unchanged object takes over what was saved elsewhere`(
    kind: Kind
  )
    throws
  {
    let (office, ada) = try changedElsewhere(kind) {
      _ = $0["age"]
    } theirs: {
      $0["age"] = 50
    }
    let change = office.context.processPendingChanges()
    #expect(ada["age"] == 50 && change?.refreshed == [ada.objectID])
    #expect(change?.changedKeys[ada.objectID] == ["age"])
  }

  // Core Data: NSManagedObjectContext.mergeChanges(fromContextDidSave:): what is deleted there.
  @Test(arguments: stores) func `an object that was deleted elsewhere is gone here`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    _ = cyd["age"]
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    #expect(office.context.processPendingChanges()?.deleted == [cyd.objectID])
    #expect(!cyd.isAccessible && cyd["age"].isNull)
  }

  // Core Data: NSManagedObjectContext.mergeChanges(fromContextDidSave:): what is inserted there.
  @Test(arguments: stores) func `an object that was inserted elsewhere is reported here`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let other = office.anotherContext()
    let new = try other.make("New")
    try other.save()
    #expect(office.context.processPendingChanges()?.inserted == [new.objectID])
  }

  // Core Data: NSManagedObjectContext.mergeChanges(fromContextDidSave:): relationships too.
  @Test(arguments: stores) func `a relationship that was changed elsewhere changes here`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let acme = try office.context.named("Acme", "Company")
    #expect(acme.names("employees").sorted() == ["Ada", "Bob"])
    let other = office.anotherContext()
    try other.named("Cyd").setObject(other.named("Acme", "Company"), forKey: "employer")
    try other.save()
    office.context.processPendingChanges()
    #expect(acme.names("employees").sorted() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSMergePolicy: unsaved changes of other properties are kept when others are merged.
  @Test(arguments: stores, MergePolicy.allCases)
  func `changes of different properties are merged under every policy`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let (office, ada) = try changedElsewhere(kind, policy) {
      $0["age"] = 40
    } theirs: {
      $0["code"] = "a"
    }
    try office.context.save()
    #expect(ada["age"] == 40 && ada["code"] == "a")
    #expect(try office.stored("Ada", "age") == 40 && office.stored("Ada", "code") == "a")
  }

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

  // Core Data: NSMergePolicy.mergeByPropertyStoreTrump, mergeByPropertyObjectTrump, overwrite,
  // rollback: which value of a property that both have changed is kept.
  @Test(
    arguments: stores,
    [
      (MergePolicy.mergeByPropertyStoreTrump, 50), (.mergeByPropertyObjectTrump, 40),
      (.overwrite, 40), (.rollback, 50),
    ] as [(MergePolicy, Int64)])
  func `a policy decides which value of one property is kept`(
    kind: Kind, expected: (policy: MergePolicy, age: Int64)
  ) throws {
    let (office, ada) = try changedElsewhere(kind, expected.policy) {
      $0["age"] = 40
    } theirs: {
      $0["age"] = 50
    }
    try office.context.save()
    #expect(ada["age"] == .integer(expected.age) && !office.context.hasChanges)
    #expect(try office.stored("Ada", "age") == .integer(expected.age))
  }

  // Core Data: NSMergeByPropertyObjectTrumpMergePolicy: what only the store has changed is kept.
  @Test(arguments: stores) func `object trump keeps what only the store has changed`(kind: Kind)
    throws
  {
    let (office, ada) = try changedElsewhere(kind, .mergeByPropertyObjectTrump) {
      $0["age"] = 40
    } theirs: {
      ($0["age"], $0["code"]) = (50, "a")
    }
    try office.context.save()
    #expect(ada["age"] == 40 && ada["code"] == "a")
  }

  // Core Data: NSMergeByPropertyStoreTrumpMergePolicy: what only the context has changed is written.
  @Test(arguments: stores) func `store trump writes what only the context has changed`(kind: Kind)
    throws
  {
    let (office, ada) = try changedElsewhere(kind, .mergeByPropertyStoreTrump) {
      ($0["age"], $0["code"]) = (40, "mine")
    } theirs: {
      $0["age"] = 50
    }
    try office.context.save()
    #expect(ada["age"] == 50 && ada["code"] == "mine")
    #expect(try office.stored("Ada", "code") == "mine")
  }

  // Core Data: NSOverwriteMergePolicy: the whole object replaces that of the store.
  @Test(arguments: stores) func `overwrite replaces the whole object`(kind: Kind) throws {
    let (office, _) = try changedElsewhere(kind, .overwrite) {
      $0["age"] = 40
    } theirs: {
      ($0["age"], $0["code"]) = (50, "a")
    }
    try office.context.save()
    #expect(try office.stored("Ada", "code").isNull && office.stored("Ada", "age") == 40)
  }

  // Core Data: NSRollbackMergePolicy: all changes of the object in conflict are discarded.
  @Test(arguments: stores) func `rollback discards all changes of the object in conflict`(
    kind: Kind
  )
    throws
  {
    let (office, ada) = try changedElsewhere(kind, .rollback) {
      ($0["age"], $0["code"]) = (40, "mine")
    } theirs: {
      $0["age"] = 50
    }
    try office.person("Bob")["age"] = 21
    try office.context.save()
    #expect(ada["age"] == 50 && ada["code"].isNull)
    #expect(try office.stored("Bob", "age") == 21)
  }

  // Core Data: NSMergePolicy: an object that was deleted in the store.
  @Test(
    arguments: stores,
    [
      (MergePolicy.mergeByPropertyStoreTrump, false), (.mergeByPropertyObjectTrump, true),
      (.overwrite, true), (.rollback, false),
    ])
  func `a policy decides whether an object that was deleted elsewhere comes back`(
    kind: Kind, expected: (policy: MergePolicy, isBack: Bool)
  ) throws {
    let office = try Office(kind)
    office.context.mergePolicy = expected.policy
    try office.person("Cyd")["age"] = 26
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    try office.context.save()
    #expect(try office.anotherContext().names().contains("Cyd") == expected.isBack)
  }

  // Core Data: NSMergePolicy: an object that is deleted here and was changed in the store.
  @Test(
    arguments: stores,
    [
      (MergePolicy.mergeByPropertyStoreTrump, true), (.mergeByPropertyObjectTrump, false),
      (.overwrite, false), (.rollback, true),
    ])
  func `a policy decides whether an object that was changed elsewhere is deleted`(
    kind: Kind, expected: (policy: MergePolicy, stays: Bool)
  ) throws {
    let office = try Office(kind)
    office.context.mergePolicy = expected.policy
    let cyd = try office.person("Cyd")
    _ = cyd["age"]
    try office.context.delete(cyd)
    try office.saveElsewhere { try $0.named("Cyd")["age"] = 26 }
    try office.context.save()
    #expect(try office.anotherContext().names().contains("Cyd") == expected.stays)
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

  // Core Data: NSMergePolicy: each but the error policy decides equal changes of both, too.
  @Test(arguments: stores, MergePolicy.allCases.filter { $0 != .error })
  func `a policy decides about the same change in both contexts`(kind: Kind, policy: MergePolicy)
    throws
  {
    let (office, ada) = try changedElsewhere(kind, policy) {
      ($0["age"], $0["code"]) = (37, "mine")
    } theirs: {
      $0["age"] = 37
    }
    try office.context.save()
    #expect(try ada["age"] == 37 && office.stored("Ada", "age") == 37)
    #expect(try office.stored("Ada", "code") == (policy == .rollback ? .null : "mine"))
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

  // Core Data: changes of different objects are no conflict.
  @Test(arguments: stores) func `changes of different objects are no conflict`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 1
    try office.saveElsewhere { try $0.named("Bob")["age"] = 2 }
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 1 && office.stored("Bob", "age") == 2)
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

  // Core Data: NSManagedObjectContext.mergeChanges: it is reported to those who observe.
  @Test(arguments: stores) func `merging notifies observers of what was refreshed`(kind: Kind)
    throws
  {
    let (office, ada) = try changedElsewhere(kind) {
      _ = $0["age"]
    } theirs: {
      $0["age"] = 50
    }
    var refreshed: Set<ObjectID> = []
    let observation = office.context.observe {
      if case .changed(let change) = $0 { refreshed.formUnion(change.refreshed) }
    }
    office.context.processPendingChanges()
    #expect(refreshed == [ada.objectID])
    observation.cancel()
  }

  // Core Data: NSManagedObjectContext.refreshAllObjects().
  @Test(arguments: stores) func `refreshFromStore reads what another process has saved`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    _ = ada["age"]
    // Another coordinator, as another process has.
    let stranger = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: office.coordinator.store))
    try stranger.named("Ada")["age"] = 50
    try stranger.save()
    office.context.processPendingChanges()
    #expect(ada["age"] == 36)
    try office.context.refreshFromStore()
    #expect(ada["age"] == 50)
  }

  // Core Data: a policy by which the store wins keeps an object that was deleted here and changed
  // elsewhere, and with it what leads to it.
  @Test(arguments: stores, [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `what leads to an object whose deletion is taken back leads to it as before`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let office = try Office(kind)
    let (ada, bob, cyd) = (
      try office.person("Ada"), try office.person("Bob"), try office.person("Cyd")
    )
    let acme = try office.context.named("Acme", "Company")
    try cyd.setObject(acme, forKey: "employer")
    try office.context.save()
    office.context.mergePolicy = policy
    try cyd.setObject(nil, forKey: "employer")
    try office.context.delete(acme)
    office.context.processPendingChanges()
    #expect(ada.object(forKey: "employer") == nil && bob.object(forKey: "employer") == nil)
    // What was set before and after the deletion is no effect of it.
    let other = try office.context.make("Other", "Company")
    try bob.setObject(other, forKey: "employer")
    ada["age"] = 40
    try office.saveElsewhere { try $0.named("Acme", "Company")["name"] = "Acme 2" }
    try office.context.save()
    #expect(acme["name"] == "Acme 2" && acme.names("employees") == ["Ada"])
    #expect(ada.object(forKey: "employer") === acme && ada["age"] == 40)
    #expect(bob.object(forKey: "employer") === other && cyd.object(forKey: "employer") == nil)
    #expect(!office.context.hasChanges)
    let fresh = office.anotherContext()
    #expect(try fresh.named("Acme 2", "Company").names("employees") == ["Ada"])
    #expect(try fresh.named("Other", "Company").names("employees") == ["Bob"])
    #expect(try fresh.named("Ada")["age"] == 40)
  }

  // Core Data: the same, where the relationship was changed elsewhere too.
  @Test(arguments: stores, [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `a relationship that was changed elsewhere stays so when a deletion is taken back`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let office = try Office(kind)
    office.context.mergePolicy = policy
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    let acme = try office.context.named("Acme", "Company")
    try office.context.delete(acme)
    office.context.processPendingChanges()
    try office.saveElsewhere { context in
      try context.named("Acme", "Company")["name"] = "Acme 2"
      try context.named("Ada").setObject(context.make("Other", "Company"), forKey: "employer")
    }
    try office.context.save()
    #expect(acme["name"] == "Acme 2" && bob.object(forKey: "employer") === acme)
    #expect(ada.object(forKey: "employer")?["name"] == "Other")
    let fresh = office.anotherContext()
    #expect(try fresh.named("Acme 2", "Company").names("employees") == ["Bob"])
    #expect(try fresh.named("Other", "Company").names("employees") == ["Ada"])
  }
}
