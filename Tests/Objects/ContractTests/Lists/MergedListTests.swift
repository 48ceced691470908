import FetchedResults
import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

/// Lists of a context that reads rows between a save of another context and its merge.
@Suite struct `Lists and the saves of other contexts` {
  private typealias List = FetchedResultsController<ManagedObject>

  /// Contexts of one store with items 1 to 4, whose `a` and `b` are their numbers; 1 and 2 lead to 3
  /// and 4.
  private struct Shared {
    private let folder: TemporaryFolder
    private let coordinator: PersistentStoreCoordinator
    let here: ManagedObjectContext

    init(_ kind: Kind) throws {
      folder = try TemporaryFolder()
      coordinator = PersistentStoreCoordinator(
        store: try kind.makeStore(ConcurrentStore.model, in: folder))
      here = ManagedObjectContext(coordinator: coordinator)
      let items = try (1...4).map { (number: Int64) in
        let item = try here.insert(entityName: "Item")
        item["number"] = .integer(number)
        for key in ["a", "b"] { item[key] = .string("\(number)") }
        return item
      }
      try items[0].setObject(items[2], forKey: "next")
      try items[1].setObject(items[3], forKey: "next")
      try here.save()
    }

    func other() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

    /// A list of items, in sections by `a` if it is sorted by that.
    func list(by keyPaths: String..., where format: String = "number > 0") throws -> List {
      let request = FetchRequest<ManagedObject>(
        entityName: "Item", predicate: try FetchPredicate(format: format),
        sortDescriptors: keyPaths.map { FetchSortDescriptor($0) })
      let list = List(
        fetchRequest: request, context: here,
        sectionKey: keyPaths[0] == "a" ? SectionKey("a") : nil)
      try list.performFetch()
      return list
    }
  }

  private func numbers(_ list: List) -> [Value] {
    list.fetchedObjects.map { $0.map { $0["number"] } } ?? []
  }

  // Core Data: NSFetchedResultsController follows what other contexts save.
  @Test(arguments: stores) func `links that were saved too do not hide what was saved`(kind: Kind)
    throws
  {
    let shared = try Shared(kind)
    let list = try shared.list(by: "next.b", where: "number <= 2")
    let (three, there) = (try shared.here.item(3), shared.other())
    shared.here.refresh(three, mergeChanges: false)
    let theirs = try there.item(3)
    theirs["b"] = "9"
    try theirs.add(there.item(4), forKey: "friends")
    try there.save()
    #expect(three["b"] == "9")
    shared.here.processPendingChanges()
    #expect(numbers(list) == [2, 1])
  }

  // Core Data: the same, of an object that has unsaved changes.
  @Test(arguments: stores) func `what was read to be changed is not as the list has it`(kind: Kind)
    throws
  {
    let shared = try Shared(kind)
    let list = try shared.list(by: "next.b", where: "number <= 2")
    let (three, there) = (try shared.here.item(3), shared.other())
    shared.here.refresh(three, mergeChanges: false)
    try there.item(3)["b"] = "9"
    try there.save()
    three["c"] = "mine"
    let change = try #require(shared.here.processPendingChanges())
    #expect(change.changedKeys[three.objectID] == ["b", "c"])
    #expect(numbers(list) == [2, 1])
  }

  // Core Data: NSMergePolicy.overwrite of an object that another context has deleted.
  @Test(arguments: stores) func `an object that was deleted and kept is shown as it is`(kind: Kind)
    throws
  {
    let shared = try Shared(kind)
    let list = try shared.list(by: "a")
    let (one, first, second) = (try shared.here.item(1).objectID, shared.other(), shared.other())
    second.mergePolicy = .overwrite
    try second.item(1)["a"] = "0"
    shared.here.refresh(shared.here.object(with: one), mergeChanges: false)
    try first.delete(first.item(1))
    try first.save()
    try second.save()
    let change = try #require(shared.here.processPendingChanges())
    #expect(change.inserted == [])
    #expect(change.deleted == [])
    #expect(change.refreshed.contains(one))
    #expect(list.results?.names == ["0", "2", "3", "4"])
  }

  // Core Data: the same, when the save comes while the list is updated.
  @Test(arguments: stores) func `what is placed beside a newer row is placed again`(kind: Kind)
    throws
  {
    let shared = try Shared(kind)
    let there = shared.other()
    try there.item(2)["b"] = "9"
    var isSaved = false
    // It comes before the list.
    let observation = shared.here.observe { event in
      guard case .changed = event, !isSaved else { return }
      isSaved = true
      #expect(throws: Never.self) { try there.save() }
    }
    let list = try shared.list(by: "b")
    shared.here.refresh(try shared.here.item(2), mergeChanges: false)
    try shared.here.item(1)["b"] = "35"
    shared.here.refresh(try shared.here.item(2), mergeChanges: false)
    shared.here.processPendingChanges()
    #expect(isSaved)
    shared.here.processPendingChanges()
    #expect(numbers(list) == [3, 1, 4, 2])
    withExtendedLifetime(observation) {}
  }

  // Core Data: the same, when the list is fetched again because its sections do not fit any more.
  @Test(arguments: stores) func `what a fetch places among newer rows is placed again`(kind: Kind)
    throws
  {
    let shared = try Shared(kind)
    let (here, there) = (shared.here, shared.other())
    for number in [3, 4] { try here.item(number)["a"] = "2" }
    try here.save()
    try there.item(3)["a"] = "0"
    try there.item(4)["b"] = "15"
    var isSaved = false
    // It comes before the list.
    let observation = here.observe { event in
      guard case .changed = event, !isSaved else { return }
      isSaved = true
      #expect(throws: Never.self) { try there.save() }
    }
    let list = try shared.list(by: "a", "b")
    let items = try (1...4).map(here.item)
    // Beside the new row 3, which is at its old index, 5 splits the section of the others. The list
    // fetched instead has 4 at its new index, where 6 is placed before the old row 4.
    for (number, a, b): (Int64, Value, Value) in [(5, "1", "5"), (6, "2", "35")] {
      let item = try here.insert(entityName: "Item")
      (item["number"], item["a"], item["b"]) = (.integer(number), a, b)
    }
    here.refresh(items[2], mergeChanges: true)
    here.processPendingChanges()
    #expect(isSaved)
    here.processPendingChanges()
    #expect(list.results?.names == ["0", "1", "2"])
    #expect(numbers(list) == [3, 1, 5, 4, 2, 6])
    withExtendedLifetime((observation, items)) {}
  }
}

extension ManagedObjectContext {
  fileprivate func item(_ number: Int) throws -> ManagedObject {
    try #require(try all("Item").first { $0["number"] == .integer(Int64(number)) })
  }
}
