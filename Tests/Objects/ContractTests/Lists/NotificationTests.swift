import ManagedObjects
import ObjectModel
import Synchronization
import TestStores
import Testing

@Suite struct `Notifications of a context` {
  /// What a context notifies of.
  private final class Events {
    private(set) var all: [ContextEvent] = []
    private var observation: ContextObservation?

    init(_ context: ManagedObjectContext) {
      observation = context.observe { [weak self] in self?.all.append($0) }
    }

    func cancel() { observation?.cancel() }

    /// The changes that were processed.
    var changes: [ContextChange] {
      all.compactMap { if case .changed(let change) = $0 { change } else { nil } }
    }

    /// The changes that were saved.
    var saves: [ContextChange] {
      all.compactMap { if case .didSave(let change) = $0 { change } else { nil } }
    }
  }

  // Core Data: NSManagedObjectContextObjectsDidChange: NSInsertedObjectsKey and its like.
  @Test(arguments: stores) func `processed changes name inserted, updated and deleted objects`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let events = Events(office.context)
    let (ada, cyd) = (try office.person("Ada"), try office.person("Cyd"))
    let new = try office.context.make("New")
    ada["age"] = 1
    try office.context.delete(cyd)
    office.context.processPendingChanges()
    #expect(events.changes.count == 1)
    #expect(events.changes[0].inserted == [new.objectID])
    #expect(events.changes[0].updated == [ada.objectID])
    #expect(events.changes[0].deleted == [cyd.objectID])
    #expect(events.changes[0].changedKeys[ada.objectID] == ["age"])
  }

  // Core Data: NSManagedObjectContext.processPendingChanges(): nothing without changes.
  @Test(arguments: stores) func `nothing is notified without changes`(kind: Kind) throws {
    let office = try Office(kind)
    let events = Events(office.context)
    _ = try office.person("Ada")["age"]
    #expect(office.context.processPendingChanges() == nil && events.all.isEmpty)
  }

  // Core Data: NSManagedObjectContextWillSave, NSManagedObjectContextDidSave.
  @Test(arguments: stores) func `a save notifies before and after`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    office.context.processPendingChanges()
    let events = Events(office.context)
    let temporary = new.objectID
    try office.context.save()
    #expect(events.all.first == .willSave && events.saves.count == 1)
    #expect(events.saves[0].inserted == [new.objectID])
    #expect(events.saves[0].permanentIDs == [temporary: new.objectID])
  }

  // Core Data: NSManagedObjectContextWillSave: what an observer changes is saved too.
  @Test(arguments: stores) func `what an observer changes before a save is part of it`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let observation = office.context.observe { if $0 == .willSave { ada["code"] = "seen" } }
    ada["age"] = 1
    try office.context.save()
    #expect(try office.stored("Ada", "code") == "seen")
    observation.cancel()
  }

  // Core Data: NSManagedObjectContextDidSave is not posted if the save fails.
  @Test(arguments: stores) func `a save that fails does not notify of a save`(kind: Kind) throws {
    let office = try Office(kind)
    _ = try office.context.insert(entityName: "Person")
    let events = Events(office.context)
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(events.saves.isEmpty)
  }

  // Core Data: NSManagedObjectContextDidSave: updates and deletions with cascades.
  @Test(arguments: stores) func `a save names what it has deleted by cascade`(kind: Kind) throws {
    let office = try Office(kind)
    let events = Events(office.context)
    let rex = try office.context.named("Rex", "Pet")
    try office.context.delete(office.person("Ada"))
    try office.context.save()
    #expect(events.saves[0].deleted.count == 5 && events.saves[0].deleted.contains(rex.objectID))
    #expect(try events.saves[0].updated.contains(office.person("Bob").objectID))
  }

  // Core Data: NSManagedObjectContextObjectsDidChange: changes of a relationship at both ends.
  @Test(arguments: stores) func `a relationship that changes is a change of both ends`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (cyd, acme) = (try office.person("Cyd"), try office.context.named("Acme", "Company"))
    let events = Events(office.context)
    try cyd.setObject(acme, forKey: "employer")
    office.context.processPendingChanges()
    #expect(
      events.changes.map(\.changedKeys) == [
        [cyd.objectID: ["employer"], acme.objectID: ["employees"]]
      ])
  }

  // Core Data: NSInvalidatedAllObjectsKey: after reset().
  @Test(arguments: stores) func `reset is notified`(kind: Kind) throws {
    let office = try Office(kind)
    let events = Events(office.context)
    office.context.reset()
    #expect(events.all == [.reset])
  }

  // Core Data: NotificationCenter.removeObserver(_:).
  @Test(arguments: stores) func `a cancelled observation is not notified`(kind: Kind) throws {
    let office = try Office(kind)
    let events = Events(office.context)
    events.cancel()
    try office.context.make("New")
    office.context.processPendingChanges()
    #expect(events.all.isEmpty)
  }

  // Core Data: NSManagedObjectContextDidSave of another context.
  @Test(arguments: stores) func `a context is woken when another one has saved`(kind: Kind) throws {
    let office = try Office(kind)
    let wakes = Wakes()
    office.context.wakeOnForeignSave { wakes.add() }
    try office.saveElsewhere {
      try $0.named("Ada")["age"] = 1
      #expect(wakes.count == 0)
    }
    #expect(wakes.count == 1)
    try office.person("Bob")["age"] = 2
    try office.context.save()
    #expect(wakes.count == 1, "its own save")
  }

  private final class Wakes: Sendable {
    private let number = Mutex(0)
    func add() { number.withLock { $0 += 1 } }
    var count: Int { number.withLock { $0 } }
  }

  // Core Data: a change that is taken back before it is processed.
  @Test(arguments: stores) func `an object that came and went is not notified`(kind: Kind) throws {
    let office = try Office(kind)
    let events = Events(office.context)
    try office.context.delete(office.context.make("New"))
    office.context.processPendingChanges()
    #expect(events.changes.isEmpty)
  }

  // Core Data: NSManagedObjectContextObjectsDidChange after undo().
  @Test(arguments: stores) func `an undo notifies by itself`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.processPendingChanges()
    let events = Events(office.context)
    office.context.undoHistory.undo()
    #expect(events.changes.map(\.updated) == [[ada.objectID]])
  }
}
