import Cardfile
import Testing

/// A store over values at hand: what a client writes for objects that are in no database.
private final class Planets: PersistentStore {
  let identifier = "planets"
  let summary = StoreSummary(name: "planets", kind: "Constants", readOnlyReason: "they are far")
  let model = ManagedObjectModel { Entity("Planet") { Attribute("name", .string) } }
  private let names = ["Mercury", "Venus", "Earth"]

  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    FetchedIDs(
      ids: ObjectIDList(
        keys: names.indices.map(Int64.init), storeIdentifier: identifier, entityName: "Planet"))
  }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    ids.map { id in
      guard case .integer(let key) = id.key, names.indices.contains(Int(key)) else { return nil }
      return RowSnapshot(id: id, version: 0, values: [.string(names[Int(key)])])
    }
  }

  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try rows(of: [id])[0]?.values.first ?? .null
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  { [:] }
}

struct OwnStoreTests {
  @Test func `a store of seven members is fetched, counted and read, and refuses a save`() throws {
    let store = Planets()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let planets = try context.fetch(FetchRequest<ManagedObject>(entityName: "Planet"))
    #expect(planets.map { $0.string("name") } == ["Mercury", "Venus", "Earth"])
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Planet")) == 3)
    #expect(try store.explain(SaveRequest()) == [])
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "Planet", sortDescriptors: [FetchSortDescriptor("name")]),
      context: context)
    try controller.performFetch()
    #expect(controller.fetchedObjects?.count == 3)
    planets[0]["name"] = "Vulcan"
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("they are far"))
    #expect(throws: StoreError.self) { try store.save(SaveRequest()) }
  }
}
