import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// Saves that another context or process makes at the worst moment.
@Suite struct `Saves in between` {
  /// Two contexts on one file, which know nothing of each other, as in two processes.
  private struct Two {
    private let folder: TemporaryFolder
    let here: ManagedObjectContext
    let there: ManagedObjectContext

    /// Item 1 leads to nothing, item 2 is led to by nothing.
    init(_ kind: Kind) throws {
      folder = try TemporaryFolder()
      let store = try kind.makeStore(ConcurrentStore.model, in: folder)
      here = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      for number in 1...2 {
        try here.insert(entityName: "Item").setValue(.integer(Int64(number)), forKey: "number")
      }
      try here.save()
      here.undoHistory.removeAllActions()
      let other = try SQLiteStore.open(path: folder.path("store"))
      there = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: other))
    }

    func findings() throws -> [CheckFinding] {
      try SQLiteStore.open(path: folder.path("store")).check()
    }
  }

  private static let files = [Kind.plain, .coreData]

  // Core Data: NSDeleteRule.nullifyDeleteRule, where another process has set the relationship since
  // the object was read.
  @Test(arguments: files)
  func `nothing leads to a deleted object, also what led to it only since it was read`(
    kind: Kind
  ) throws {
    let two = try Two(kind)
    // In Core Data's layout the object that is led to has another version now too.
    two.here.mergePolicy = .overwrite
    let (source, owner) = (try two.here.item(1), try two.here.item(2))
    #expect(source.object(forKey: "next") == nil)
    let theirs = try two.there.item(1)
    try theirs.setObject(two.there.item(2), forKey: "next")
    theirs["a"] = "theirs"
    try two.there.save()
    try two.here.delete(owner)
    let change = try #require(two.here.processPendingChanges())
    #expect(change.changedKeys[source.objectID]?.contains("a") == true)
    try two.here.save()
    #expect(source.object(forKey: "next") == nil && source["a"] == "theirs")
    #expect(try two.findings() == [])
    try two.there.refreshFromStore()
    #expect(theirs.object(forKey: "next") == nil)
  }

  // Core Data: the same, where the conflict of an object decides what it leads to.
  @Test(arguments: files, MergePolicy.allCases.filter { $0 != .error })
  func `nothing leads to a deleted object after conflicts are merged`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let two = try Two(kind)
    two.here.mergePolicy = policy
    let (source, owner) = (try two.here.item(1), try two.here.item(2))
    source["a"] = "mine"
    try two.here.delete(owner)
    two.here.processPendingChanges()
    let theirs = try two.there.item(1)
    theirs["a"] = "theirs"
    try theirs.setObject(two.there.item(2), forKey: "next")
    try two.there.save()
    try two.here.save()
    // Where the store wins, one that was changed there stays: in Core Data's layout both were.
    #expect(source.object(forKey: "next") === (owner.isAccessible ? owner : nil))
    #expect(try two.findings() == [])
  }

  // Core Data: a relationship to an object that another process has deleted; no policy can keep it.
  @Test(arguments: files, MergePolicy.allCases)
  func `a link to an object that somebody has deleted is a conflict that names both objects`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let two = try Two(kind)
    let (source, target) = (try two.here.item(1), try two.here.item(2))
    (source["a"], target["a"]) = ("Source", "Target")
    try two.here.save()
    two.here.mergePolicy = policy
    try source.setObject(target, forKey: "next")
    try two.there.delete(two.there.item(2))
    try two.there.save()
    let error = try managedObjectError { try two.here.save() }
    #expect(error.reason == .conflict)
    #expect(Set(error.objectIDs) == [source.objectID, target.objectID])
    #expect(
      error.description == """
        saving 1 object: conflict: in the store since: 1 Item deleted
          “Source” (Item 1): next leads to “Target” (Item 2), which was deleted from the store
        try: set the relationship to nothing or to an object that exists
        """)
    #expect(!target.isAccessible && two.here.hasChanges)
    // It stays until it is corrected.
    let problem = try #require(managedObjectError { try two.here.save() }.problems.first)
    #expect(problem.objectID == source.objectID && problem.key == "next")
    #expect(problem.destinationID == target.objectID)
    try source.setObject(nil, forKey: "next")
    try two.here.save()
    #expect(try two.findings() == [])
  }

  // Core Data: NSOverwriteMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy: an object that was
  // deleted elsewhere and changed here is inserted again.
  @Test(arguments: files, [MergePolicy.overwrite, .mergeByPropertyObjectTrump])
  func `an object that is inserted again does not lead to one that was deleted here since`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let two = try Two(kind)
    two.here.mergePolicy = policy
    let (source, owner) = (try two.here.item(1), try two.here.item(2))
    try source.setObject(owner, forKey: "next")
    try two.here.save()
    try two.there.delete(two.there.item(1))
    two.there.mergePolicy = policy
    try two.there.save()
    // In Core Data's layout the object that was led to has another version now too.
    try two.here.delete(owner)
    try two.here.save()
    source["a"] = "mine"
    try two.here.save()
    #expect(source["a"] == "mine" && source.object(forKey: "next") == nil)
    #expect(try two.here.all("Item") == [source] && two.findings() == [])
  }

  // Core Data: NSOverwriteMergePolicy: the state of the object in memory overwrites the one in the
  // store; but for a deleted object, which it cannot lead to.
  @Test(arguments: files)
  func `an overwritten object is not made to lead to one that was deleted here since`(kind: Kind)
    throws
  {
    let two = try Two(kind)
    two.here.mergePolicy = .overwrite
    let (source, owner) = (try two.here.item(1), try two.here.item(2))
    try source.setObject(owner, forKey: "next")
    try two.here.save()
    let other = try two.there.insert(entityName: "Item")
    other["number"] = 3
    try two.there.item(1).setObject(other, forKey: "next")
    try two.there.item(1).setValue("theirs", forKey: "a")
    try two.there.save()
    // Nothing in the store leads to it by now.
    try two.here.delete(owner)
    try two.here.save()
    source["a"] = "mine"
    try two.here.save()
    try two.there.refreshFromStore()
    #expect(try two.there.item(1)["a"] == "mine")
    #expect(try two.there.item(1).object(forKey: "next") == two.there.item(3))
    #expect(source.object(forKey: "next") == (try two.here.item(3)))
    #expect(try two.findings() == [])
  }

  // Core Data: an object that was deleted here is fetched again when it exists again.
  @Test(arguments: files)
  func `an object that somebody inserts again is there again`(kind: Kind) throws {
    let two = try Two(kind)
    let theirs = try two.there.item(2)
    theirs["a"] = "kept"
    let mine = try two.here.item(2)
    try two.here.delete(mine)
    try two.here.save()
    #expect(mine["a"].isNull && !mine.isAccessible)
    two.there.mergePolicy = .mergeByPropertyObjectTrump
    try two.there.save()
    #expect(try two.here.item(2)["a"] == "kept")
    #expect(mine.isAccessible && mine["number"] == 2)
    // It can be changed, linked and deleted like any other.
    try two.here.item(1).setObject(mine, forKey: "next")
    try two.here.save()
    try two.here.delete(mine)
    try two.here.save()
    #expect(try two.here.item(1).object(forKey: "next") == nil)
    #expect(try two.findings() == [])
  }

  // Core Data: a fetch with unsaved changes, while the store has an order that is not merged yet.
  @Test(arguments: files)
  func `changed objects are in a list whose rows somebody has put in another order`(kind: Kind)
    throws
  {
    let two = try Two(kind)
    for number in 3...8 {
      try two.here.insert(entityName: "Item").setValue(.integer(Int64(number)), forKey: "number")
    }
    for (number, text) in zip(
      Int64(1)..., ["101", "107", "150", "108", "103", "151", "104", "109"])
    {
      try two.here.item(number).setValue(.string(text), forKey: "a")
    }
    try two.here.save()
    for item in try two.there.all("Item") { item["a"] = .string("20\(item.number)") }
    try two.there.save()
    // Each goes between its neighbours as they were read here, and so the greater one first.
    try two.here.item(3).setValue("1075", forKey: "a")
    try two.here.item(6).setValue("1035", forKey: "a")
    let request = FetchRequest<ManagedObject>(
      entityName: "Item", sortDescriptors: [.init("a"), .init("number")])
    var plan = try request.plan(in: two.here.model)
    plan.sectionKey = SectionKey("a")
    let found = try two.here.fetchIDs(plan)
    #expect(found.ids.count == 8 && Set(found.ids).count == 8)
    #expect(found.sections.reduce(0) { $0 + $1.count } == 8)
    try two.here.refreshFromStore()
    #expect(
      try two.here.fetchIDs(plan).sections.map(\.name)
        == two.here.fetch(request).map {
          $0.string("a")
        })
  }

  // Core Data: a save of another context is merged into a list, also of objects read since then.
  @Test(arguments: stores)
  func `a change is reported of an object that was read after it was saved`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    office.context.trim(keeping: [])
    try office.saveElsewhere { try $0.named("Ada")["age"] = 50 }
    #expect(ada["age"] == 50)
    #expect(office.context.processPendingChanges()?.refreshed == [ada.objectID])
    #expect(office.context.processPendingChanges() == nil)
  }

  /// Lets somebody else act while it is validated: after the saves of others were merged.
  private final class Interrupted: ManagedObject {
    var interruption: (() -> Void)?

    override func validateForUpdate() throws {
      interruption?()
      interruption = nil
    }
  }

  // Core Data: automaticallyMergesChangesFromParent never takes back what was saved later.
  @Test(arguments: stores)
  func `an earlier save of another context does not hide a later one of this context`(
    kind: Kind
  ) throws {
    let folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(
      store: try kind.makeStore(ConcurrentStore.model, in: folder))
    let (mine, other) = (
      ManagedObjectContext(coordinator: coordinator), ManagedObjectContext(coordinator: coordinator)
    )
    mine.register(Interrupted.self, forEntity: "Item")
    mine.mergePolicy = .mergeByPropertyObjectTrump
    try other.insert(entityName: "Item").setValue(1, forKey: "number")
    try other.save()
    let item = try #require(try mine.item(1) as? Interrupted)
    item["a"] = "mine"
    var failure: (any Error)?
    item.interruption = {
      do {
        try other.item(1).setValue("other", forKey: "b")
        try other.save()
      } catch { failure = error }
    }
    try mine.save()
    #expect(failure == nil && item.interruption == nil)
    mine.processPendingChanges()
    #expect(item["a"] == "mine" && item["b"] == "other")
    other.processPendingChanges()
    #expect(try other.item(1)["a"] == "mine" && other.item(1)["b"] == "other")
  }
}

extension ManagedObject {
  fileprivate var number: Int64 { integer("number") ?? 0 }
}

extension ManagedObjectContext {
  /// The item with a number, which must exist.
  func item(_ number: Int64) throws -> ManagedObject {
    try #require(try all("Item").first { $0["number"] == .integer(number) })
  }
}
