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

// A store over files that are read whole and written whole.

// sample
final class Notes: WritableAtomicStore {
  let identifier: String
  let model = ManagedObjectModel {
    Entity("Note") {
      Attribute("file", .string, isOptional: false)
      Attribute("text", .string)
    }
  }
  let cache = AtomicCache()
  private var folder: URL { URL(filePath: identifier) }

  init(folder: String) { identifier = folder }

  var stamp: FileStamp? { FileStamp([identifier] + files().map(\.path)) }

  private func files() -> [URL] {
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (all ?? []).filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
  }

  func load() throws(StoreError) -> InMemoryRows {
    let rows = files().enumerated().map { number, file in
      let id = ObjectID(
        storeIdentifier: identifier, entityName: "Note", key: .integer(Int64(number + 1)))
      let text = (try? String(contentsOf: file, encoding: .utf8)).map { Value.string($0) }
      return RowSnapshot(
        id: id, version: 0, values: [.string(file.lastPathComponent), text ?? .null])
    }
    return InMemoryRows(model: model, storeIdentifier: identifier, rows: rows)
  }

  func write(_ rows: InMemoryRows) throws(StoreError) {
    do {
      var left = Set(files().map(\.lastPathComponent))
      for row in rows.objectIDs.compactMap(rows.row) {
        guard case .string(let name) = row.values[0] else { continue }
        left.remove(name)
        if case .string(let text) = row.values[1] {
          try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
        }
      }
      for name in left { try FileManager.default.removeItem(at: folder.appending(path: name)) }
    } catch {
      throw StoreError(.disk, doing: "saving", subject: identifier, detail: "\(error)")
    }
  }
}
// end of sample

// A store that answers what it can.

// sample
final class PeopleService: IncrementalStore {
  let identifier = "https://people.example"
  let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("age", .integer64)
    }
  }
  var summary: StoreSummary { StoreSummary(name: "people.example", kind: "Service") }
  private let service = Service()

  func answer(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> PartialFetch {
    // The service can sort by name, and nothing else: the predicate is evaluated here.
    let isByName = plan.sortDescriptors == [FetchSortDescriptor("name")]
    let people = service.people(sortedByName: isByName)
    return PartialFetch(
      ids: people.map { id($0.number) }, parts: isByName ? .order : [], rows: people.map(row))
  }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    ids.map { id in service.person(id.integerKey).map(row) }
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  { [:] }

  private func id(_ number: Int64) -> ObjectID {
    ObjectID(storeIdentifier: identifier, entityName: "Person", key: .integer(number))
  }

  private func row(_ person: Service.Person) -> RowSnapshot {
    RowSnapshot(
      id: id(person.number), version: 1, values: [.string(person.name), .integer(person.age)])
  }
}
// end of sample

/// What the store above asks: a stand-in for a service.
struct Service {
  struct Person {
    let number: Int64
    let name: String
    let age: Int64
  }

  private let all = (1...9).map { number in
    Person(number: number, name: "Person \(number * 4 % 9)", age: number * 10)
  }

  func people(sortedByName: Bool) -> [Person] {
    sortedByName ? all.sorted { $0.name < $1.name } : all.reversed()
  }

  func person(_ number: Int64?) -> Person? { all.first { $0.number == number } }
}

extension ObjectID {
  fileprivate var integerKey: Int64? { if case .integer(let number) = key { number } else { nil } }
}

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

  @Test func `a store that loads and writes all rows is edited, undone, saved and followed`() throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> URL { folder.appending(path: name) }
    for (name, text) in [("a.md", "first"), ("b.md", "second"), ("c.txt", "none of ours")] {
      try Data(text.utf8).write(to: file(name))
    }
    let store = Notes(folder: folder.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let request = FetchRequest<ManagedObject>(
      entityName: "Note", sortDescriptors: [FetchSortDescriptor("file")])
    let notes = try context.fetch(request)
    #expect(notes.map { $0.string("text") } == ["first", "second"])
    #expect(try StoreContract(store).violations() == [])
    notes[0]["text"] = "changed"
    try context.delete(notes[1])
    let new = try context.insert(entityName: "Note")
    new["file"] = "d.md"
    new["text"] = "third"
    try context.save()
    #expect(try String(contentsOf: file("a.md"), encoding: .utf8) == "changed")
    #expect(!FileManager.default.fileExists(atPath: file("b.md").path))
    #expect(try String(contentsOf: file("d.md"), encoding: .utf8) == "third")
    #expect(FileManager.default.fileExists(atPath: file("c.txt").path))
    // A required value is missing: nothing is written.
    _ = try context.insert(entityName: "Note")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    context.rollback()
    // Another program writes: what is changed here at the same time is a conflict.
    notes[0]["text"] = "mine"
    try Data("theirs".utf8).write(to: file("a.md"), options: .atomic)
    #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(try String(contentsOf: file("a.md"), encoding: .utf8) == "theirs")
  }

  @Test func `what a service cannot do is done here, and told`() throws {
    let store = PeopleService()
    #expect(try StoreContract(store).violations() == [])
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let older = try context.fetch(
      FetchRequest<ManagedObject>(
        entityName: "Person", predicate: try FetchPredicate(format: "age > 70"),
        sortDescriptors: [FetchSortDescriptor("name")]))
    #expect(older.map { $0.string("name") } == ["Person 0", "Person 5"])
    let plan = FetchPlan(entityName: "Person", sortDescriptors: [FetchSortDescriptor("name")])
    #expect(try store.evaluation(of: plan).evaluatedRowCount == 0)
    var byAge = plan
    byAge.sortDescriptors = [FetchSortDescriptor("age")]
    #expect(try store.evaluation(of: byAge).evaluatedRowCount == 9)
  }

  @Test func `several stores are one`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = url.path
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "Disc", attributes: [AttributeDescription("title", .string)]),
        EntityDescription(name: "Setting", attributes: [AttributeDescription("key", .string)]),
      ], details: ModelDetails(configurations: ["Data": ["Disc"], "Local": ["Setting"]]))
    // sample
    let container = try PersistentContainer(
      "discs", model: model,
      configurations: [
        StoreConfiguration("Data", path: folder + "/data.sqlite"),
        StoreConfiguration(
          "Local", path: folder + "/local.json", options: StoreOptions(type: .binary)),
      ])
    // end of sample
    let context = container.newBackgroundContext()
    _ = try context.insert(entityName: "Disc")
    _ = try context.insert(entityName: "Setting")
    try context.save()
    #expect(FileManager.default.fileExists(atPath: folder + "/local.json"))
  }
}
