import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Lists with a cache name, opened by several stores one after another, as by processes.
@Suite struct `A list with a cache name` {
  private let database: TemporaryDatabase
  private let cache: FetchedResultsCache

  init() throws {
    database = try TemporaryDatabase(
      """
      CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, born DATE,
        city_id INTEGER REFERENCES city(id));
      INSERT INTO city VALUES (1, 'Oslo', 7), (2, 'Évora', 1);
      INSERT INTO person VALUES (1, 'Émile', 30, '2001-01-01', 1), (2, 'anna', 20, NULL, 2),
        (3, 'Bo', 20, '1999-09-09', NULL), (4, 'eva', 40, NULL, 1), (5, 'Zoë', 30, NULL, 2);
      CREATE TABLE pair (a INTEGER, b TEXT, name TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO pair VALUES (1, 'x', 'one'), (2, 'y', 'two');
      CREATE VIEW grown AS SELECT id, name, random() AS number FROM person WHERE age > 25;
      CREATE VIRTUAL TABLE note USING fts5(name, body);
      INSERT INTO note VALUES ('a', 'b');
      """)
    cache = FetchedResultsCache(path: database.folder.appending(path: "caches").path)
    waitUntilSettled()
  }

  /// A list in a store of its own, and how often the store was fetched from.
  private struct List {
    let store: InstrumentedStore
    let controller: FetchedResultsController<ManagedObject>
    var context: ManagedObjectContext { controller.managedObjectContext }
    var isFromCache: Bool { store.counts.fetches == 0 }

    /// Names by section.
    var picture: String {
      (controller.sections.map(Array.init) ?? []).map { section in
        "\(section.name): " + section.objects.map { $0.string("name") }.joined(separator: " ")
      }.joined(separator: " | ")
    }
  }

  private func list(
    _ entity: String = "person", where format: String? = nil,
    by order: [FetchSortDescriptor] = [FetchSortDescriptor("name", comparison: .localized)],
    sections: String? = "name:initial", limit: Int = 0, name: String? = "people",
    model: String? = nil, fetches: Bool = true
  ) throws -> List {
    let store = InstrumentedStore(try database.open())
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    var request = FetchRequest<ManagedObject>(
      entityName: entity, predicate: try format.map { try FetchPredicate(format: $0) },
      sortDescriptors: order)
    request.fetchLimit = limit
    let controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionNameKeyPath: sections, cacheName: name)
    controller.cache = cache
    if fetches { try controller.performFetch() }
    return List(store: store, controller: controller)
  }

  static let picture = "A: anna | B: Bo | E: Émile eva | Z: Zoë"

  /// A store of a client that wraps another one, and counts.
  private final class CountingStore: ForwardingStore {
    let base: any PersistentStore
    private let saves = Mutex(0)
    var saveCount: Int { saves.withLock { $0 } }

    init(_ base: any PersistentStore) { self.base = base }

    func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
      saves.withLock { $0 += 1 }
      return try base.save(request)
    }
  }

  @Test func `is taken from the cache, and followed, through a store that wraps another`() throws {
    func wrapped() throws -> (store: CountingStore, list: List) {
      let base = InstrumentedStore(try database.open())
      let store = CountingStore(base)
      let request = FetchRequest<ManagedObject>(
        entityName: "person", sortDescriptors: [FetchSortDescriptor("name")])
      let controller = FetchedResultsController(
        fetchRequest: request,
        context: ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)),
        cacheName: "wrapped")
      controller.cache = cache
      try controller.performFetch()
      return (store, List(store: base, controller: controller))
    }
    #expect(try !wrapped().list.isFromCache)
    let (store, list) = try wrapped()
    #expect(list.isFromCache)
    let plan = try list.controller.request.plan(in: store.model)
    let fetch = try store.fetch(plan, since: nil, keepingIn: nil, control: nil)
    #expect(try store.fetchTracking?.track(fetch, control: nil) != nil)
    list.controller.fetchedObjects?.first?["age"] = 1
    try list.context.save()
    #expect(store.saveCount == 1)
  }

  @Test func `is sorted once, and then taken from the cache`() throws {
    let first = try list()
    #expect(first.picture == Self.picture && !first.isFromCache)
    let second = try list()
    #expect(second.picture == Self.picture && second.isFromCache)
    #expect(second.controller.results == first.controller.results)
    #expect(second.controller.fetchState == .complete)
    let without = try list(name: nil)
    #expect(without.picture == Self.picture && !without.isFromCache)
    let another = try list(name: "other")
    #expect(!another.isFromCache)
  }

  @Test func `is taken from the cache at once where it would be fetched in the background`() throws
  {
    _ = try list()
    let screen = try list(fetches: false)
    try screen.controller.performFetch(firstScreen: 2) {}
    #expect(screen.isFromCache && screen.picture == Self.picture)
    #expect(screen.controller.fetchState == .complete && screen.controller.part == nil)
    let whole = try list(fetches: false)
    try whole.controller.performFetchInBackground {}
    #expect(whole.isFromCache && whole.picture == Self.picture)
  }

  @Test func `is kept when a background fetch is complete`() throws {
    let first = try list(fetches: false)
    try first.controller.performFetch(firstScreen: 2) {}
    while first.controller.fetchState != .complete { first.controller.takeBackgroundResults() }
    #expect(first.picture == Self.picture)
    #expect(try list().isFromCache)
  }

  /// Other requests under the same name: each has its own results.
  @Test func `is fetched anew for another request`() throws {
    let born = FetchSortDescriptor("born")
    let age = FetchSortDescriptor("age")
    let requests: [() throws -> List] = [
      { try list() }, { try list(where: "age > 20") }, { try list(where: "age > 30") },
      { try list(where: "name == 'Bo'") }, { try list(where: "name == 'bo'") },
      { try list(where: "name ==[c] 'bo'") },
      { try list(where: "born < CAST('2000-01-01', 'NSDate')") },
      { try list(where: "born < CAST('2002-01-01', 'NSDate')") },
      { try list(by: [.init("name", comparison: .binary)], sections: nil) },
      { try list(by: [.init("name", comparison: .caseInsensitive)], sections: nil) },
      { try list(by: [.init("name", comparison: .localized)], sections: nil) },
      { try list(by: [.init("name", ascending: false, comparison: .localized)], sections: nil) },
      { try list(by: [.init("name", comparison: .localized(numeric: true))], sections: nil) },
      { try list(by: [age], sections: "age") }, { try list(by: [age], sections: nil) },
      { try list(by: [age, born], sections: "age") },
      { try list(by: [born], sections: "born:year") },
      { try list(by: [born], sections: "born:month") },
      { try list(by: [.init("city.name")], sections: "city.name") },
      { try list(by: [.init("city.size")], sections: "city.size") },
      { try list(where: "city.name == 'Oslo'") }, { try list(limit: 2) }, { try list(limit: 3) },
      { try list("city", by: [.init("name")], sections: nil) },
    ]
    for request in requests + requests.reversed().dropFirst() {
      let fetched = try request()
      let found = try request()
      #expect(!fetched.isFromCache && found.isFromCache)
      #expect(found.controller.results == fetched.controller.results)
    }
  }

  @Test func `is fetched anew when a related table has changed`() throws {
    let order = [FetchSortDescriptor("city.name")]
    #expect(try !list(by: order, sections: "city.name").isFromCache)
    #expect(try list(by: order, sections: "city.name").isFromCache)
    try database.run("UPDATE city SET name = 'Zagreb' WHERE id = 2")
    waitUntilSettled()
    let changed = try list(by: order, sections: "city.name")
    #expect(!changed.isFromCache && changed.picture == ": Bo | Oslo: Émile eva | Zagreb: anna Zoë")
  }

  @Test(arguments: [
    "name != NULL AND born < now()", "age > random()", "name MATCHES '[A-Z].*'",
  ])
  func `is not kept if its condition may say something else later`(format: String) throws {
    for _ in 0..<2 { #expect(try !list(where: format).isFromCache) }
    #expect(!FileManager.default.fileExists(atPath: cache.path))
  }

  @Test(arguments: ["grown", "pair", "note"])
  func `is not kept of views, composite keys and virtual tables`(entity: String) throws {
    let order = [FetchSortDescriptor("name")]
    for _ in 0..<2 {
      let list = try list(entity, by: order, sections: nil)
      #expect(!list.isFromCache && list.controller.count > 0)
    }
    #expect(!FileManager.default.fileExists(atPath: cache.path))
  }

  @Test func `is kept with constants that are computed`() throws {
    #expect(try !list(where: "age > 5 + 20 AND name IN {'Zoë', 'eva'}").isFromCache)
    #expect(try list(where: "age > 5 + 20 AND name IN {'Zoë', 'eva'}").isFromCache)
  }

  @Test func `has the unsaved changes of its context`() throws {
    _ = try list()
    let unsaved = try list(fetches: false)
    let person = try unsaved.context.insert(entityName: "person")
    person["name"] = "Eddi"
    let gone = ObjectID(
      storeIdentifier: unsaved.store.identifier, entityName: "person", key: .integer(3))
    try unsaved.context.delete([gone])
    try unsaved.controller.performFetch()
    #expect(unsaved.isFromCache && unsaved.picture == "A: anna | E: Eddi Émile eva | Z: Zoë")
    // They are not kept.
    let list = try list()
    #expect(list.isFromCache && list.picture == Self.picture)
  }

  @Test func `follows changes, undo and saves as one that was fetched`() throws {
    _ = try list()
    let list = try list()
    #expect(list.isFromCache)
    let objects = try #require(list.controller.fetchedObjects)
    objects[0]["name"] = "Yan"
    try list.context.delete(objects[1])
    list.context.processPendingChanges()
    #expect(list.picture == "E: Émile eva | Y: Yan | Z: Zoë")
    list.context.undoHistory.undo()
    list.context.processPendingChanges()
    #expect(list.picture == Self.picture)
    list.context.undoHistory.redo()
    try list.context.save()
    #expect(list.picture == "E: Émile eva | Y: Yan | Z: Zoë")
    waitUntilSettled()
    let later = try self.list()
    #expect(!later.isFromCache && later.picture == list.picture)
    #expect(try self.list().isFromCache)
  }

  @Test func `follows commits of other programs as one that was fetched`() throws {
    _ = try list()
    let list = try list(fetches: false)
    try list.controller.performFetch(firstScreen: 2) {}
    #expect(list.isFromCache)
    try database.run(
      "UPDATE person SET name = 'Yan' WHERE id = 2; DELETE FROM person WHERE id = 3")
    try list.context.refreshFromStore()
    let end = ContinuousClock.now + .seconds(60)
    while list.picture != "E: Émile eva | Y: Yan | Z: Zoë", .now < end {
      list.controller.takeBackgroundResults()
    }
    #expect(list.picture == "E: Émile eva | Y: Yan | Z: Zoë")
  }

  @Test func `keeps the list that is fetched, not the filters that are set later`() throws {
    let filtered = try list()
    filtered.controller.predicate = try FetchPredicate(format: "age > 30")
    #expect(filtered.picture == "E: eva")
    #expect(try list().isFromCache)
    try filtered.controller.performFetch()
    #expect(try list(where: "age > 30").isFromCache)
    #expect(try !list().isFromCache)
  }

  @Test func `is fetched anew after its cache was deleted`() throws {
    _ = try list()
    FetchedResultsController<ManagedObject>.deleteCache(withName: "other", in: cache)
    #expect(try list().isFromCache)
    FetchedResultsController<ManagedObject>.deleteCache(withName: "people", in: cache)
    #expect(try !list().isFromCache)
    FetchedResultsController<ManagedObject>.deleteCache(withName: nil, in: cache)
    #expect(try !list().isFromCache)
  }

  @Test func `is fetched anew if its cache is damaged`() throws {
    _ = try list()
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache.path).first)
    let url = URL(fileURLWithPath: "\(cache.path)/\(name)")
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: url)
    let damaged = try list()
    #expect(!damaged.isFromCache && damaged.picture == Self.picture)
    #expect(try list().isFromCache)
  }

  @Test func `is not kept if its order depends on files beside the store`() throws {
    let file = try TemporaryDatabase()
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Picture",
        attributes: [
          AttributeDescription("name", .string),
          AttributeDescription(
            "photo", .binaryData, encoding: .externalData,
            details: AttributeDetails(allowsExternalBinaryDataStorage: true)),
        ])
    ])
    let store = try SQLiteStore.create(
      path: file.path, model: model, layout: .coreData(CoreDataCreation()))
    waitUntilSettled()
    let memory = MemoryCache()
    for (attribute, count) in [("photo", 0), ("name", 1)] {
      let plan = FetchPlan(
        entityName: "Picture", sortDescriptors: [FetchSortDescriptor(attribute)])
      _ = try store.refetch(plan, since: nil, keepingIn: memory, control: nil)
      #expect(memory.count == count, "\(attribute)")
    }
  }

  @Test func `of an entity with subentities has the objects of all`() throws {
    let file = try TemporaryDatabase()
    let model = ManagedObjectModel {
      Entity("Party", isAbstract: true) { Attribute("name", .string) }
      Entity("Person", extends: "Party") { Attribute("age", .integer64) }
      Entity("Company", extends: "Party") { Attribute("size", .integer64) }
    }
    let created = try SQLiteStore.create(
      path: file.path, model: model, layout: .coreData(CoreDataCreation()))
    let maker = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: created))
    for (entity, name) in [("Company", "Acme"), ("Person", "Bob"), ("Company", "Cyc")] {
      try maker.make(entity, name)
    }
    try maker.save()
    waitUntilSettled()
    func list(_ entity: String, subentities: Bool = true) throws -> List {
      let store = InstrumentedStore(try file.open())
      var request = FetchRequest<ManagedObject>(
        entityName: entity, sortDescriptors: [FetchSortDescriptor("name")])
      request.includesSubentities = subentities
      let controller = FetchedResultsController(
        fetchRequest: request,
        context: ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)),
        cacheName: "parties")
      controller.cache = cache
      try controller.performFetch()
      return List(store: store, controller: controller)
    }
    #expect(try !list("Party").isFromCache)
    let parties = try list("Party")
    #expect(parties.isFromCache && parties.picture == ": Acme Bob Cyc")
    let ids = try #require(parties.controller.results?.ids)
    #expect(ids.map(\.entityName) == ["Company", "Person", "Company"])
    let none = try list("Party", subentities: false)
    #expect(!none.isFromCache && none.picture == ": ")
    let people = try list("Person")
    #expect(!people.isFromCache && people.picture == ": Bob")
  }
}
