import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

@Suite struct `Merging the saves of other contexts` {
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

  // Core Data: changes of different objects are no conflict.
  @Test(arguments: stores) func `changes of different objects are no conflict`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 1
    try office.saveElsewhere { try $0.named("Bob")["age"] = 2 }
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 1 && office.stored("Bob", "age") == 2)
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

/// Another context has saved a change of Ada; hers in the first context is read and unsaved.
func changedElsewhere(
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
