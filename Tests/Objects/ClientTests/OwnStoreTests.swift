import Cardfile
import Testing

// A store over values at hand: what a client writes for objects that are in no database.

// sample
final class Planets: AtomicStore {
  let identifier = "planets"
  let model = ManagedObjectModel { Entity("Planet") { Attribute("name", .string) } }
  func storedRows() -> RowTable {
    RowTable([["Mercury"], ["Venus"], ["Earth"]], of: "Planet", in: self)
  }
}
// end of sample

// sample
@MainActor func planetList() -> Screen {
  let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: Planets()))
  let provider = TableViewProvider<ManagedObject>(entityName: "Planet", context: context)
  return ListScreen(title: "Planets", provider: provider)
}
// end of sample

/// The same store, with a fault.
private final class Faulty: ForwardingStore {
  enum Fault: CaseIterable { case order, count, rows, sections }

  let base: any PersistentStore = Planets()
  private let fault: Fault

  init(_ fault: Fault) { self.fault = fault }

  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    var fetched = try base.fetch(plan, control: control)
    if fault == .order { fetched.ids = ObjectIDList(fetched.ids.reversed()) }
    if fault == .sections { fetched.sections = fetched.sections.reversed() }
    return fetched
  }

  func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try base.count(plan, control: control) + (fault == .count ? 1 : 0)
  }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    let rows = try base.rows(of: ids)
    return fault == .rows ? rows.filter { $0 != nil } : rows
  }
}

struct OwnStoreTests {
  @Test func `a store of an identifier, a model and rows keeps the contract of stores`() throws {
    // sample
    #expect(try StoreContract(Planets()).violations() == [])
    // end of sample
  }

  @Test(arguments: Faulty.Fault.allCases)
  fileprivate func `the contract finds what a store does wrong`(fault: Faulty.Fault) throws {
    #expect(try !StoreContract(Faulty(fault)).violations().isEmpty)
  }

  @MainActor @Test func `such a store is a list on a screen`() throws {
    let terminal = RecordingTerminal(size: Size(width: 40, height: 8))
    terminal.type("q")
    #expect(Application(planetList(), terminal: terminal).run() == 0)
    let lines = terminal.screen?.lines ?? []
    #expect(lines.first?.hasPrefix(" Planets") == true, "\(lines)")
    let names = ["Earth", "Mercury", "Venus"]
    #expect(names.map { name in lines.firstIndex { $0.contains(name) } } == [1, 2, 3], "\(lines)")
  }

  @Test func `such a store is sorted, filtered and counted in lists, and refuses a save`() throws {
    let store = Planets()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let planets = try context.fetch(FetchRequest<ManagedObject>(entityName: "Planet"))
    #expect(planets.map { $0.string("name") } == ["Mercury", "Venus", "Earth"])
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Planet")) == 3)
    #expect(try store.explain(SaveRequest()) == [])
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "Planet", predicate: try FetchPredicate(format: "name CONTAINS 'e'"),
        sortDescriptors: [FetchSortDescriptor("name", ascending: false)]),
      context: context)
    try controller.performFetch()
    #expect(controller.fetchedObjects?.map { $0.string("name") } == ["Venus", "Mercury"])
    planets[0]["name"] = "Vulcan"
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("no way to save changes"))
    #expect(throws: StoreError.self) { try store.save(SaveRequest()) }
  }
}
