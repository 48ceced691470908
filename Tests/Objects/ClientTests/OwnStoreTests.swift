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
}
