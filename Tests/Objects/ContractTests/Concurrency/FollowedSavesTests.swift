import FetchedResults
import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

/// Lists that follow the saves of another context, where they know more than they were told.
@Suite struct `Saves that a list follows` {
  private let folder: TemporaryFolder
  private let here: ManagedObjectContext
  private let there: ManagedObjectContext
  private let list: FetchedResultsController<ManagedObject>

  init() throws {
    folder = try TemporaryFolder()
    let store = try Kind.coreData.makeStore(ConcurrentStore.model, in: folder)
    let coordinator = PersistentStoreCoordinator(store: store)
    here = ManagedObjectContext(coordinator: coordinator)
    there = ManagedObjectContext(coordinator: coordinator)
    for number in 1...3 {
      try there.insert(entityName: "Item").setValue(.integer(Int64(number)), forKey: "number")
    }
    try there.save()
    here.processPendingChanges()
    list = FetchedResultsController(
      fetchRequest: FetchRequest(entityName: "Item", sortDescriptors: [.init("number")]),
      context: here)
    try list.performFetch()
  }

  private var fetched: [ObjectID] {
    get throws { try here.all("Item").map(\.objectID) }
  }

  // Core Data: NSFetchedResultsController follows NSManagedObjectContextDidMergeChanges.
  @Test func `one that was inserted and deleted before it is told of either`() throws {
    try there.item(1).setValue(.string("changed"), forKey: "a")
    try there.save()
    // After the context has taken the saves, and before the list fetches what a refresh is about.
    var new: ManagedObject?
    let observation = here.observe { [there] event in
      guard case .changed = event, new == nil else { return }
      do {
        new = try there.insert(entityName: "Item")
        new?["number"] = 4
        try there.save()
      } catch { Issue.record(error) }
    }
    try here.refreshFromStore()
    observation.cancel()
    let id = try #require(new).objectID
    #expect(list.indexPath(for: id) != nil)
    try there.delete(#require(new))
    try there.save()
    let change = try #require(here.processPendingChanges())
    #expect(change.deleted == [id] && change.inserted.isEmpty && change.refreshed.isEmpty)
    #expect(list.indexPath(for: id) == nil)
    #expect(try list.fetchedObjects?.map(\.objectID) == fetched)
  }

  // Core Data: a fault whose row is gone before its context has merged the deletion.
  @Test func `one whose row was found missing before it is told of the deletion`() throws {
    try here.item(1).setValue(.string("unsaved"), forKey: "a")
    let deleted = try here.item(2)
    here.trim(keeping: [])
    try there.delete(there.item(2))
    try there.save()
    #expect(!deleted.isAccessible)
    let change = try #require(here.processPendingChanges())
    #expect(change.deleted == [deleted.objectID])
    #expect(list.indexPath(for: deleted.objectID) == nil)
    #expect(try list.fetchedObjects?.map(\.objectID) == fetched)
  }
}
