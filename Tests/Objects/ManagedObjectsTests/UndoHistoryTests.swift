import ObjectModel
import Testing

@testable import ManagedObjects

struct UndoHistoryTests {
  /// A number that registers its changes, as an app registers its marks.
  private final class Counter {
    let history: UndoHistory
    private(set) var value = 0

    init(_ history: UndoHistory) { self.history = history }

    func add(_ amount: Int) {
      value += amount
      history.register(name: "Add \(amount)") { self.add(-amount) }
    }
  }

  @Test func `redo runs what the undo step registered`() {
    let history = UndoHistory()
    let counter = Counter(history)
    counter.add(5)
    #expect(history.canUndo && history.undoActionName == "Add 5")
    #expect(history.undo() == "Add 5")
    #expect(counter.value == 0 && history.canRedo && !history.canUndo)
    history.redo()
    #expect(counter.value == 5 && !history.canRedo)
    history.undo()
    counter.add(1)
    #expect(!history.canRedo)
    #expect(history.redo() == nil)
  }

  @Test func `what is reverted cannot be redone`() {
    let history = UndoHistory()
    let counter = Counter(history)
    counter.add(5)
    history.closeImplicitGroup()
    counter.add(7)
    #expect(history.revert() == "Add 7")
    #expect(counter.value == 5 && !history.canRedo && history.undoActionName == "Add 5")
    history.undo()
    #expect(counter.value == 0 && history.redoActionName == "Add 5")
    #expect(history.revert() == nil && history.canRedo)
  }

  @Test func `groups begun during an undo are part of its redo group, which keeps the name`() {
    let history = UndoHistory()
    var values: [Int] = []
    func append(_ value: Int) {
      values.append(value)
      history.beginGroup()
      history.register(name: "Append") { remove() }
      history.endGroup()
    }
    func remove() {
      let value = values.removeLast()
      history.beginGroup()
      history.register(name: "Remove") { append(value) }
      history.endGroup()
    }
    history.beginGroup()
    append(1)
    append(2)
    history.setActionName("Append both")
    history.endGroup()
    #expect(history.undo() == "Append both")
    #expect(values.isEmpty && !history.canUndo && history.redoActionName == "Append both")
    history.redo()
    #expect(values == [1, 2] && !history.canRedo && history.undoActionName == "Append both")
  }

  @Test func `restoring a recording drops later groups and brings back the redo groups`() {
    let history = UndoHistory()
    let counter = Counter(history)
    counter.add(5)
    history.endGroup()
    counter.add(2)
    history.undo()
    let recording = history.recording
    counter.add(7)
    history.endGroup()
    #expect(!history.canRedo)
    history.restore(recording)
    #expect(counter.value == 12 && history.undoActionName == "Add 5")
    #expect(history.redoActionName == "Add 2")
  }

  @Test func `groups nest, are named, and are not kept if empty`() {
    let history = UndoHistory()
    let counter = Counter(history)
    history.beginGroup()
    history.endGroup()
    #expect(!history.canUndo)
    history.beginGroup()
    counter.add(1)
    history.beginGroup()
    counter.add(2)
    history.endGroup()
    history.setActionName("Add three")
    history.endGroup()
    #expect(history.undo() == "Add three")
    #expect(counter.value == 0)
    #expect(history.redoActionName == "Add three")
  }

  @Test func `the oldest groups are removed beyond the limit`() {
    let history = UndoHistory()
    history.levelsOfUndo = 2
    let counter = Counter(history)
    for amount in 1...3 {
      history.beginGroup()
      counter.add(amount)
      history.endGroup()
    }
    while history.undo() != nil {}
    #expect(counter.value == 1)
  }

  @Test func `an unnamed group is named after what was done`() throws {
    let context = makeContext()
    let ada = try context.make("Person", "Ada")
    context.processPendingChanges()
    #expect(context.undoHistory.undoActionName == "Insert Person")
    ada["age"] = 3
    #expect(context.undoHistory.undoActionName == "Change age")
    let bob = try context.make("Person", "Bob")
    context.processPendingChanges()
    try context.delete([ada.objectID, bob.objectID])
    #expect(context.undoHistory.undoActionName == "Delete 2 Person")
    context.undoHistory.undo()
    #expect(context.undoHistory.redoActionName == "Delete 2 Person")
    #expect(ada.isAccessible && bob.isAccessible)
  }

  @Test func `what is set in the group of an insertion goes and comes back with it`() throws {
    let context = makeContext()
    let ada = try context.make("Person", "Ada")
    ada["age"] = 36
    ada["age"] = 37
    context.undoHistory.undo()
    #expect(try !ada.isAccessible && context.all("Person").isEmpty)
    context.undoHistory.redo()
    #expect(ada.isInserted && ada["name"] == "Ada" && ada["age"] == 37)
    #expect(throws: ManagedObjectError.self) { try ada.setValue("many", forKey: "age") }
    #expect(ada["age"] == 37)
  }

  @Test(arguments: [false, true])
  func `what is set in a later group is undone alone`(isProcessed: Bool) throws {
    let context = makeContext()
    let ada = try context.make("Person", "Ada")
    if isProcessed { context.processPendingChanges() }
    context.undoHistory.beginGroup()
    ada["age"] = 36
    context.undoHistory.endGroup()
    context.undoHistory.undo()
    #expect(ada.isInserted && ada["name"] == "Ada" && ada["age"] == 18)
    context.undoHistory.redo()
    #expect(ada["age"] == 36)
  }

  @Test func `what is set after changes were processed is reported, although its group is open`()
    throws
  {
    let context = makeContext()
    var changes: [ContextChange] = []
    let observation = context.observe {
      if case .changed(let change) = $0 { changes.append(change) }
    }
    context.undoHistory.beginGroup()
    let ada = try context.make("Person", "Ada")
    context.processPendingChanges()
    ada["age"] = 36
    context.processPendingChanges()
    context.undoHistory.endGroup()
    #expect(changes.map(\.inserted) == [[ada.objectID], []])
    #expect(changes.last?.changedKeys == [ada.objectID: ["age"]])
    context.undoHistory.undo()
    #expect(!ada.isAccessible)
    withExtendedLifetime(observation) {}
  }

  @Test func `undo inserts a deleted object with its key again`() throws {
    let context = makeContext()
    let ada = try context.make("Person", "Ada")
    try context.save()
    let id = ada.objectID
    try context.delete(ada)
    try context.save()
    #expect(!ada.isAccessible)
    context.undoHistory.undo()
    #expect(ada.isInserted && ada["name"] == "Ada")
    try context.save()
    #expect(ada.objectID == id && !ada.hasChanges)
  }

  @Test func `undo of a deletion fails if the key has been taken`() throws {
    let context = makeContext(albumModel)
    let artist = try context.make("Artist", "AC/DC")
    try context.save()
    try context.delete(artist)
    try context.save()
    let rival = ObjectID(storeIdentifier: "", entityName: "Artist", key: .temporary(0))
    _ = try context.store.save(
      SaveRequest(inserted: [RowChange(id: rival, values: ["ArtistId": 1])]))
    context.undoHistory.undo()
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.storeError?.reason == .keyTaken)
    #expect(artist["Name"] == "AC/DC" && artist.isInserted)
  }

  @Test func `undo of a deletion fails at once if another context has saved the key`() throws {
    let context = makeContext(albumModel)
    let artist = try context.make("Artist", "AC/DC")
    try context.save()
    try context.delete(artist)
    try context.save()
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    let rival = try other.make("Artist", "Accept")
    rival["ArtistId"] = 1
    try other.save()
    context.undoHistory.undo()
    #expect((context.mostRecentError as? ManagedObjectError)?.reason == .keyTaken)
    #expect(!context.hasChanges && artist["Name"] == "Accept")
  }
}
