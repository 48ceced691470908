import ObjectModel
import Testing

@testable import ManagedObjects

/// Several contexts, and other programs that write to the store.
struct ContextTests {
  private let coordinator = PersistentStoreCoordinator(
    store: InMemoryStore(model: peopleModel, identifier: "test"))

  private func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  @Test func `observers are notified once of processed changes, by ID`() throws {
    let context = context()
    var events: [ContextEvent] = []
    let observation = context.observe { events.append($0) }
    let (ada, rex) = (try context.make("Person", "Ada"), try context.make("Pet", "Rex"))
    #expect(events.isEmpty)
    let change = try #require(context.processPendingChanges())
    #expect(change.inserted == [ada.objectID, rex.objectID] && change.updated.isEmpty)
    try ada.add(rex, forKey: "pets")
    ada["age"] = 36
    ada["age"] = 37
    context.processPendingChanges()
    #expect(
      events.last
        == .changed(
          ContextChange(
            updated: [ada.objectID, rex.objectID],
            changedKeys: [ada.objectID: ["age", "pets"], rex.objectID: ["owner"]])))
    #expect(context.processPendingChanges() == nil)
    let temporary = ada.objectID
    try context.save()
    #expect(events.count == 4)
    guard case .didSave(let saved) = events.last else { return #expect(Bool(false)) }
    #expect(saved.permanentIDs[temporary] == ada.objectID)
    #expect(saved.inserted == [ada.objectID, rex.objectID])
    #expect(context.object(with: temporary) === ada)
    observation.cancel()
    context.reset()
    #expect(events.count == 4)
  }

  @Test func `what nobody observed is not reported to who observes from then on`() throws {
    let context = context()
    let ada = try context.make("Person", "Ada")
    try context.save()
    try context.delete(ada)
    try context.save()
    context.undoHistory.undo()
    var events: [ContextEvent] = []
    let observation = context.observe { events.append($0) }
    #expect(context.processPendingChanges() == nil && events.isEmpty)
    try context.save()
    guard case .didSave(let saved) = events.last else { return #expect(Bool(false)) }
    #expect(saved.inserted == [ada.objectID] && events.count == 2)
    withExtendedLifetime(observation) {}
  }

  @Test func `an object inserted and deleted before processing is not reported`() throws {
    let context = context()
    try context.delete(try context.make("Person", "Ada"))
    #expect(context.processPendingChanges() == nil)
    #expect(!context.hasChanges)
  }

  @Test func `a save is merged into the other contexts`() throws {
    let (one, other) = (context(), context())
    let ada = try one.make("Person", "Ada")
    try one.save()
    let change = try #require(other.processPendingChanges())
    #expect(change.inserted == [ada.objectID])
    let mirror = other.object(with: ada.objectID)
    #expect(mirror["age"] == 18)
    ada["age"] = 40
    try one.save()
    #expect(mirror["age"] == 18)
    let update = try #require(other.processPendingChanges())
    #expect(update.refreshed == [ada.objectID] && update.changedKeys[ada.objectID] == ["age"])
    #expect(mirror["age"] == 40)
    try one.delete(ada)
    try one.save()
    #expect(other.processPendingChanges()?.deleted == [mirror.objectID])
    #expect(!mirror.isAccessible)
  }

  @Test(arguments: ContextConflict.Resolution.allCases)
  func `a conflict loses no changes and is resolved as requested`(
    resolution: ContextConflict.Resolution
  ) throws {
    let (one, other) = (context(), context())
    let ada = try one.make("Person", "Ada")
    try one.save()
    let mine = other.object(with: ada.objectID)
    mine["age"] = 50
    ada["age"] = 40
    ada["note"] = "theirs"
    try one.save()
    let error = #expect(throws: ManagedObjectError.self) { try other.save() }
    #expect(error?.reason == .conflict && error?.objectIDs == [ada.objectID])
    #expect(mine["age"] == 50 && mine.isUpdated)
    #expect(other.conflicts[ada.objectID]?.theirKeys == ["age", "note"])
    #expect(other.conflicts[ada.objectID]?.myKeys == ["age"])
    try other.resolveConflicts(resolution, of: [ada.objectID])
    #expect(other.conflicts.isEmpty)
    let isMine = resolution == .keepMine || resolution == .keepMyObject
    #expect(mine["age"] == (isMine ? 50 : 40))
    #expect(mine["note"] == (resolution == .keepMyObject ? .null : "theirs"))
    try other.save()
    #expect(try one.storedPicture() == other.picture())
  }

  @Test(arguments: ContextConflict.Resolution.allCases)
  func `an unsaved change of an object deleted elsewhere is kept or discarded`(
    resolution: ContextConflict.Resolution
  ) throws {
    let (one, other) = (context(), context())
    let ada = try one.make("Person", "Ada")
    try one.save()
    let mine = other.object(with: ada.objectID)
    mine["age"] = 50
    try one.delete(ada)
    try one.save()
    other.processPendingChanges()
    #expect(other.conflicts[mine.objectID]?.isGone == true)
    try other.resolveConflicts(resolution, of: [mine.objectID])
    try other.save()
    let isMine = resolution == .keepMine || resolution == .keepMyObject
    #expect(mine.isAccessible == isMine)
    #expect(try context().all("Person").count == (isMine ? 1 : 0))
  }

  @Test func `a refresh finds the commit of another process`() throws {
    let context = context()
    let people = try ["Ada", "Bob", "Cyd"].map { try context.make("Person", $0) }
    try context.save()
    people[2]["note"] = "mine"
    let rows = try coordinator.store.snapshots(of: people.map(\.objectID))
    _ = try coordinator.store.save(
      SaveRequest(
        updated: [people[0], people[2]].map {
          RowChange(id: $0.objectID, version: rows[$0.objectID]?.version, values: ["note": "new"])
        }, deleted: [RowDeletion(id: people[1].objectID)]))
    let change = try #require(try context.refreshFromStore())
    #expect(change.refreshed == [people[0].objectID])
    #expect(change.changedKeys == [people[0].objectID: ["note"]])
    #expect(change.deleted == [people[1].objectID])
    #expect(people[0]["note"] == "new" && !people[1].isAccessible)
    #expect(Array(context.conflicts.keys) == [people[2].objectID])
    #expect(people[2]["note"] == "mine")
    #expect(try context.refreshFromStore() == nil)
  }

  @Test func `refreshing an object reads its row again and merges its changes if requested`() throws
  {
    let (one, other) = (context(), context())
    let ada = try one.make("Person", "Ada")
    try one.save()
    let mirror = other.object(with: ada.objectID)
    mirror["age"] = 50
    ada["note"] = "new"
    try one.save()
    other.refresh(mirror, mergeChanges: true)
    #expect(mirror["age"] == 50 && mirror["note"] == "new")
    other.refresh(mirror, mergeChanges: false)
    #expect(mirror["age"] == 18 && !mirror.hasChanges)
  }

  @Test func `after a rollback or a reset the context has what the store has`() throws {
    let context = context()
    let ada = try context.make("Person", "Ada")
    let tag = try context.make("Tag", "first")
    try ada.add(tag, forKey: "tags")
    try context.save()
    let saved = try context.picture()
    ada["age"] = 1
    try ada.remove(tag, forKey: "tags")
    try context.delete(tag)
    let bob = try context.make("Person", "Bob")
    let changed = try context.picture()
    context.rollback()
    #expect(!context.hasChanges && !bob.isAccessible)
    #expect(try context.picture() == saved)
    context.undoHistory.undo()
    #expect(try context.picture() == changed)
    context.reset()
    #expect(!context.hasChanges && !context.undoHistory.canUndo)
    #expect(try context.picture() == saved)
    #expect(ada["age"] == 18)
  }

  @Test func `a copy of the unsaved changes keeps what a new object was`() throws {
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: InMemoryStore(model: peopleModel)))
    let bob = try context.make("Person", "Bob")
    let before = (context.unsaved, context.tracking)
    bob["name"] = "Rob"
    let ann = try context.make("Person", "Ann")
    #expect(before.0.pending[bob.objectID]?.current?.values.contains("Bob") == true)
    #expect(before.0.pending.count == 1 && context.unsaved.pending.count == 2)
    context.restore(before)
    #expect(bob["name"] == "Bob" && !ann.isAccessible)
    bob["name"] = "Rob"
    #expect(bob["name"] == "Rob")
  }

  @Test func `a read-only store refuses changes at once`() throws {
    let store = InMemoryStore(model: peopleModel, readOnlyReason: "opened with --read-only")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let error = #expect(throws: ManagedObjectError.self) {
      try context.insert(entityName: "Person")
    }
    #expect(error?.reason == .readOnly)
    #expect(error?.detail == "opened with --read-only")
    let unknown = #expect(throws: ManagedObjectError.self) {
      try context.insert(entityName: "Persn")
    }
    #expect(unknown?.reason == .unknownEntity && unknown?.remedy == "Person")
  }
}
