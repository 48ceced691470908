import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Changes that are discarded` {
  /// Whatever takes an unsaved change back.
  enum Discarding: CaseIterable { case rollback, undo, setting, refresh }

  // Core Data: NSManagedObjectContext.rollback() after a merge of the same property.
  @Test(arguments: stores, Discarding.allCases)
  func `discarding a change shows what another context has saved meanwhile`(
    kind: Kind, discarding: Discarding
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.processPendingChanges()
    try office.saveElsewhere { try $0.named("Ada")["age"] = 50 }
    office.context.processPendingChanges()
    #expect(ada["age"] == 1 && office.context.conflicts.count == 1)
    var updated: Set<ObjectID> = []
    let observation = office.context.observe {
      if case .changed(let change) = $0 {
        updated.formUnion(change.updated.union(change.refreshed))
      }
    }
    switch discarding {
    case .rollback: office.context.rollback()
    case .undo: office.context.undoHistory.undo()
    case .setting: ada["age"] = 36
    case .refresh: office.context.refresh(ada, mergeChanges: false)
    }
    office.context.processPendingChanges()
    #expect(ada["age"] == 50 && office.context.conflicts.isEmpty)
    #expect(updated.contains(ada.objectID))
    observation.cancel()
  }

  // Core Data: NSManagedObjectContext.rollback() of a deletion.
  @Test(arguments: stores)
  func `an object whose deletion is discarded is as another context has saved it`(kind: Kind) throws
  {
    let office = try Office(kind)
    let (bob, acme) = (try office.person("Bob"), try office.context.named("Acme", "Company"))
    #expect(bob["age"] == 20 && acme.names("employees").sorted() == ["Ada", "Bob"])
    try office.context.delete(bob)
    office.context.processPendingChanges()
    let other = office.anotherContext()
    try other.named("Bob").setObject(nil, forKey: "employer")
    try other.named("Bob")["age"] = 21
    try other.save()
    office.context.processPendingChanges()
    office.context.rollback()
    #expect(bob["age"] == 21 && bob.object(forKey: "employer") == nil)
    #expect(acme.names("employees") == ["Ada"])
    try bob.setValue(22, forKey: "age")
    try office.context.save()
    #expect(try office.stored("Bob", "age") == 22)
  }

  // Core Data: NSManagedObjectContext.rollback() after a merge of other properties.
  @Test(arguments: stores)
  func `an object that was changed, merged and deleted is as it was merged after a rollback`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let bob = try office.person("Bob")
    bob["height"] = 1.5
    try office.saveElsewhere { try $0.named("Bob")["age"] = 21 }
    office.context.processPendingChanges()
    #expect(bob["age"] == 21)
    try office.context.delete(bob)
    office.context.rollback()
    #expect(bob["age"] == 21 && bob["height"].isNull)
  }

  // Core Data: NSManagedObjectContext.rollback() of a change of an object that is gone.
  @Test(arguments: stores)
  func `discarding a change of an object that another context has deleted deletes it`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.person("Cyd")["age"] = 1
    office.context.processPendingChanges()
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    office.context.processPendingChanges()
    office.context.rollback()
    #expect(try office.context.names() == ["Ada", "Bob"])
  }

  // Core Data: NSManagedObjectContext.refresh(_:mergeChanges:) of a new object.
  @Test(arguments: stores)
  func `nothing leads to a new object whose changes are discarded`(kind: Kind) throws {
    let office = try Office(kind)
    let (rex, owner) = (try office.context.named("Rex", "Pet"), try office.context.make("New"))
    try rex.setObject(owner, forKey: "owner")
    office.context.processPendingChanges()
    office.context.refresh(owner, mergeChanges: false)
    #expect(rex.object(forKey: "owner") == nil && owner.isInserted == false)
    try office.context.save()
    office.context.undoHistory.undo()
    #expect(rex.object(forKey: "owner") === owner)
  }
}
