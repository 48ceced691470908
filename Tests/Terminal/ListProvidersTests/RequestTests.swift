import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit
import TestSupport
import Testing

@testable import ListProviders

@MainActor
struct RequestTests {
  private func titles(_ provider: TableViewProvider<ManagedObject>) -> [String] {
    provider.fetchedResultsController.fetchedObjects?.map { $0["title"].description } ?? []
  }

  /// Takes what is fetched in the background until all rows are there.
  private func finishFetching(
    _ provider: TableViewProvider<ManagedObject>, _ wakes: AsyncStream<Void>
  ) async {
    for await _ in wakes {
      provider.takeBackgroundResults()
      if provider.fetchedResultsController.fetchState == .complete { break }
    }
  }

  /// Five discs, and a provider that shows them in a table once their store is opened.
  private func waiting() throws -> (Collection, InstrumentedStore, TableViewProvider<ManagedObject>)
  {
    let collection = try Collection("Alien", "Brazil", "Cube", "Dune", "Eva")
    let store = InstrumentedStore(collection.store)
    store.isOpen = false
    let provider = TableViewProvider<ManagedObject>(
      entityName: "DVD", displayAttributeName: "title",
      context: ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    provider.attach(to: collection.table)
    return (collection, store, provider)
  }

  @Test func `the request can be changed at any time and the table shows it`() throws {
    let collection = try Collection("Alien 1979", "Brazil 1985", "Cube 1997")
    let provider = collection.provider()
    collection.table.move(.down(1))
    provider.fetchPredicate = try FetchPredicate(format: "year > 1980")
    #expect(titles(provider) == ["Brazil", "Cube"])
    #expect(provider.cursorObject?["title"] == "Brazil")
    provider.sortDescriptors = [FetchSortDescriptor("year", ascending: false)]
    #expect(titles(provider) == ["Cube", "Brazil"])
    #expect(provider.cursorObject?["title"] == "Brazil")
    provider.sectionNameKeyPath = "title:initial"
    #expect(collection.table.numberOfSections == 2)
    #expect(titles(provider) == ["Brazil", "Cube"])
    provider.sectionKey = nil
    provider.fetchPredicate = nil
    provider.sortDescriptors = []
    #expect(titles(provider) == ["Alien", "Brazil", "Cube"])
    #expect(collection.table.numberOfRows == 3)
  }

  @Test func `a list with a cache name is looked for in the cache, filters of it are not`() throws {
    let (_, store, provider) = try waiting()
    provider.fetchedResultsController.cache = FetchedResultsCache(path: "/dev/null/caches")
    provider.performFetchAndReloadTableView()
    #expect(store.counts.cacheLookups == 0)
    provider.fetchedResultsController.cacheName = "discs"
    provider.performFetchAndReloadTableView()
    #expect(store.counts.cacheLookups == 1)
    provider.fetchPredicate = try FetchPredicate(format: "title != 'Cube'")
    #expect(titles(provider).count == 4 && store.counts.cacheLookups == 1)
  }

  @Test func `a request set before the first fetch is used by it`() throws {
    let collection = try Collection("Alien 1979", "Brazil 1985")
    let provider = collection.provider { provider in
      provider.sortDescriptors = [FetchSortDescriptor("year", ascending: false)]
      provider.sectionNameKeyPath = "year"
    }
    #expect(titles(provider) == ["Brazil", "Alien"])
    #expect(provider.fetchedResultsController.sectionNameKeyPath == "year")
  }

  @Test func `another entity is displayed by its own display attribute`() throws {
    let collection = try Collection("Alien")
    let anna = try collection.context.insert(entityName: "Person")
    anna["name"] = "Anna"
    let provider = collection.provider()
    provider.entityName = "Person"
    expectPicture(collection.picture(), "▌+ Anna")
    #expect(provider.displayAttributeName == "name")
    provider.entityName = "Nothing"
    #expect(provider.mostRecentError != nil)
    #expect(provider.entityName == "Person")
    #expect(provider.displayAttributeName == "name")
    expectPicture(collection.picture(), "▌+ Anna")
  }

  @Test func `without a section key the sort descriptors are those that were set`() throws {
    let collection = try Collection("Alien 1979", "Cube 1997", "Brazil 1985")
    let provider = collection.provider { provider in
      provider.sortDescriptors = [FetchSortDescriptor("year")]
      provider.sectionNameKeyPath = "title"
    }
    #expect(titles(provider) == ["Alien", "Brazil", "Cube"])
    provider.fetchPredicate = try FetchPredicate(format: "nothing == 1")
    provider.sectionKey = nil
    #expect(provider.sortDescriptors == [FetchSortDescriptor("year")])
  }

  @Test func `a request that fails is reported, and the displayed one stays`() throws {
    let collection = try Collection("Alien", "Brazil")
    var errors = 0
    collection.delegate.didFail = { _ in errors += 1 }
    let provider = collection.provider()
    provider.fetchPredicate = try FetchPredicate(format: "nothing == 1")
    #expect(errors == 1)
    #expect(provider.mostRecentError != nil)
    #expect(provider.fetchPredicate == nil)
    #expect(titles(provider) == ["Alien", "Brazil"])
    provider.fetchPredicate = try FetchPredicate(format: "title == 'Brazil'")
    #expect(provider.mostRecentError == nil)
    #expect(titles(provider) == ["Brazil"])
  }

  // MARK: In the background

  @Test func `the first rows are shown at once and the others when they are fetched`() async throws
  {
    let collection = try Collection("Alien", "Brazil", "Cube", "Dune")
    let provider = TableViewProvider<ManagedObject>(entityName: "DVD", context: collection.context)
    provider.attach(to: collection.table)
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    provider.set(provider.request, firstScreen: 2) { continuation.yield() }
    #expect(collection.table.numberOfRows == 2)
    collection.table.move(.down(1))
    for await _ in wakes { break }
    #expect(provider.takeBackgroundResults())
    #expect(collection.table.numberOfRows == 4)
    #expect(provider.cursorObject?["title"] == "Brazil")
    #expect(provider.fetchedResultsController.fetchState == .complete)
    #expect(collection.table.nextDeadline == nil)
  }

  @Test func `after a new order the cursor returns to its object once all rows are fetched`()
    async throws
  {
    let collection = try Collection("Alien", "Brazil", "Cube", "Dune", "Eva")
    let provider = collection.provider()
    collection.table.move(.down(1))
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    var request = provider.request
    request.fetchRequest.sortDescriptors = [FetchSortDescriptor("title", ascending: false)]
    provider.set(request, firstScreen: 2, wake: { continuation.yield() })
    #expect(titles(provider).count == 5)
    await finishFetching(provider, wakes)
    #expect(titles(provider) == ["Eva", "Dune", "Cube", "Brazil", "Alien"])
    #expect(provider.cursorObject?["title"] == "Brazil")
    #expect(provider.sortDescriptors == [FetchSortDescriptor("title", ascending: false)])
  }

  @Test(arguments: [true, false])
  func `a part that is not shown leaves the cursor on its object`(isCancelled: Bool) async throws {
    let (collection, store, provider) = try waiting()
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    provider.set(provider.request, firstScreen: 3) { continuation.yield() }
    collection.table.move(.down(1))
    #expect(provider.show(.matching(PropertyKey("title").beginsWith("x")), count: 3))
    if isCancelled { provider.cancelPart() }
    store.isOpen = true
    await finishFetching(provider, wakes)
    #expect(titles(provider).count == 5)
    #expect(provider.cursorObject?["title"] == "Brazil")
  }

  @Test func `a part is shown from its first row`() async throws {
    let (collection, store, provider) = try waiting()
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    provider.set(provider.request, firstScreen: 4) { continuation.yield() }
    collection.table.move(.down(3))
    #expect(provider.cursorObject?["title"] == "Dune")
    store.letsPartsPass = true
    #expect(provider.show(.last, count: 3))
    for await _ in wakes { break }
    provider.takeBackgroundResults()
    #expect(titles(provider) == ["Cube", "Dune", "Eva"])
    #expect(provider.cursorObject?["title"] == "Cube")
    store.isOpen = true
    await finishFetching(provider, wakes)
    #expect(provider.cursorObject?["title"] == "Cube")
  }

  @Test func `the table shows commits of other processes`() async throws {
    let collection = try Collection("Alien", "Brazil", "Cube")
    let provider = collection.provider()
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    provider.set(provider.request, firstScreen: 9) { continuation.yield() }
    collection.table.move(.last)
    _ = collection.picture()
    let context = collection.stranger()
    let all = try context.fetch(
      FetchRequest<ManagedObject>(
        entityName: "DVD", sortDescriptors: [FetchSortDescriptor("title")]))
    all[0]["title"] = "Zardoz"
    try context.delete(all[1])
    try context.insert(entityName: "DVD").setValue("Dune", forKey: "title")
    try context.save()
    var origins: [ChangeOrigin] = []
    collection.delegate.didChangeContent = { origins.append($1) }
    try collection.context.refreshFromStore()
    for await _ in wakes { break }
    provider.takeBackgroundResults()
    #expect(titles(provider) == ["Cube", "Dune", "Zardoz"])
    #expect(provider.cursorObject?["title"] == "Cube")
    #expect(!origins.isEmpty && origins.allSatisfy { $0 == .store })
  }
}
