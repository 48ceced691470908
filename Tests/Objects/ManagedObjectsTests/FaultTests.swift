import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

struct FaultTests {
  private let store = InstrumentedStore(InMemoryStore(model: peopleModel, identifier: "test"))
  private var coordinator: PersistentStoreCoordinator { PersistentStoreCoordinator(store: store) }

  private func fill(_ count: Int) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<count { try context.make("Person", "P\(number)") }
    try context.save()
    store.resetCounts()
  }

  @Test func `there is one object for an ID while it is referenced`() throws {
    try fill(1)
    let context = ManagedObjectContext(coordinator: coordinator)
    let id = try #require(try context.all("Person").first).objectID
    let object = context.object(with: id)
    #expect(object === context.object(with: id))
    #expect(context.registeredObject(for: id) === object)
    #expect(object.isFault)
    #expect(object["name"] == "P0")
    #expect(!object.isFault)
  }

  @Test func `firing one fault of a fetch reads a batch of rows`() throws {
    try fill(100)
    let context = ManagedObjectContext(coordinator: coordinator)
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.fetchBatchSize = 25
    let people = try context.fetch(request)
    #expect(store.counts.snapshots == 0)
    #expect(people.map { $0.string("name") }.count == 100)
    #expect(store.counts.snapshots == 4)
    #expect(store.counts.rows == 100)
  }

  @Test func `rows of unreferenced objects are evicted, others stay cached`() throws {
    try fill(500)
    let context = ManagedObjectContext(coordinator: coordinator, rowCapacity: 100)
    let ids = try context.fetchIDs(FetchPlan(entityName: "Person")).ids
    let held = context.object(with: ids[0])
    #expect(held["name"] == "P0")
    for start in stride(from: 0, to: 500, by: 20) {
      try context.prefetch(ids[start..<start + 20])
      #expect(context.objects.rowCount <= 140)
    }
    store.resetCounts()
    #expect(held["name"] == "P0")
    #expect(store.counts.snapshots == 0)
    #expect(context.objects.instances.count == 1)
  }

  @Test func `ten thousand referenced objects are read in batches, whatever the cache size`() throws
  {
    try fill(3_000)
    let context = ManagedObjectContext(coordinator: coordinator, rowCapacity: 100)
    let people = try context.all("Person")
    for _ in 0..<2 { #expect(people.allSatisfy { $0.string("name").hasPrefix("P") }) }
    #expect(store.counts.snapshots == 3)
  }

  @Test func `an unreferenced object with unsaved changes is not released`() throws {
    try fill(1)
    let context = ManagedObjectContext(coordinator: coordinator)
    weak var object: ManagedObject?
    do {
      let person = try #require(try context.all("Person").first)
      person["age"] = 40
      object = person
    }
    #expect(object != nil)
    try context.save()
    #expect(object == nil)
  }

  @Test func `an object whose row was deleted has no values and is not accessible`() throws {
    try fill(1)
    let context = ManagedObjectContext(coordinator: coordinator)
    let other = ManagedObjectContext(coordinator: coordinator)
    let id = try #require(try context.all("Person").first).objectID
    try other.delete([id])
    try other.save()
    let object = context.object(with: id)
    #expect(object["name"] == .null)
    #expect(!object.isAccessible)
    #expect(object.objects(forKey: "pets").isEmpty)
    let error = #expect(throws: ManagedObjectError.self) { try context.existingObject(with: id) }
    #expect(error?.reason == .gone)
    #expect(throws: ManagedObjectError.self) { try object.setValue("x", forKey: "name") }
  }

  @Test func `an ID with an unknown entity makes an object without values`() {
    let context = ManagedObjectContext(coordinator: coordinator)
    let object = context.object(
      with: ObjectID(storeIdentifier: "test", entityName: "Nobody", key: .integer(1)))
    #expect(object["name"] == .null)
    #expect(!object.isAccessible)
    #expect(object.displayName == "Nobody 1")
  }

  @Test func `an error from firing a fault is reported and kept`() throws {
    try fill(1)
    let context = ManagedObjectContext(coordinator: coordinator)
    let person = try #require(try context.all("Person").first)
    var reported: [String] = []
    context.onError = { reported.append(String(describing: $0)) }
    store.failReads(StoreError(.disk, doing: "reading", subject: "rows"))
    #expect(person["name"] == .null)
    #expect(reported.count == 1)
    #expect((context.mostRecentError as? ManagedObjectError)?.storeError?.reason == .disk)
    store.failReads(nil)
    #expect(person["name"] == "P0")
  }

  @Test func `a fetch request of a subclass returns its instances`() throws {
    try fill(2)
    let context = ManagedObjectContext(coordinator: coordinator)
    let people: [Someone] = try context.fetch(FetchRequest<Someone>(entityName: "Person"))
    #expect(people.map(\.name) == ["P0", "P1"])
    people[0].name = "Ada"
    #expect(people[0].changedValues() == ["name": "Ada"])
    #expect(throws: ManagedObjectError.self) {
      try context.fetch(FetchRequest<Other>(entityName: "Person"))
    }
  }
}

private final class Someone: ManagedObject {
  var name: String {
    get { string("name") }
    set { self["name"] = .string(newValue) }
  }
}

private final class Other: ManagedObject {}
