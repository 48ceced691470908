import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import RESTStore
import Synchronization
import TestSupport
import Testing

@MainActor @Suite struct StackFactoryTests {
  private final class Listener: StackFactoryDelegate {
    var errors: [any Error] = []
    func stackFactory(_ factory: StackFactory, encounteredError error: any Error) {
      errors.append(error)
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func factory(_ models: [ManagedObjectModel] = [discModel]) throws -> StackFactory {
    for (index, model) in models.enumerated() {
      try model.json().write(to: folder.url("Model\(index).json"))
    }
    let factory = StackFactory(
      applicationName: "discs", models: ModelLibrary(folders: [folder.url.path]))
    try factory.setPersistentStoreDataPath(folder.path("data/discs.sqlite"))
    return factory
  }

  @Test func `the file name and path depend on the application and the store type`() throws {
    let factory = StackFactory(applicationName: "notes")
    #expect(factory.persistentStoreDataFileName == "notes.sqlite")
    #expect(factory.persistentStoreDataPath?.hasSuffix("/notes/notes.sqlite") == true)
    try factory.setPersistentStoreDataFileName("other.db")
    #expect(factory.persistentStoreDataPath?.hasSuffix("/notes/other.db") == true)
    try factory.setPersistentStoreType(.inMemory)
    #expect(factory.persistentStoreDataFileName == nil && factory.persistentStoreDataPath == nil)
  }

  @Test func `the store is created from a model that is found by name, and opened again`() throws {
    let factory = try factory()
    try factory.setMomdName("Model0")
    let context = try factory.managedObjectContext
    #expect(try factory.managedObjectContext === context)
    try Person.newObject(from: ["username": "ada"], in: context, saves: true)
    let again = try self.factory([])
    #expect(try again.managedObjectModel.entity(named: "Person") != nil)
    #expect(try again.managedObjectContext.count(for: FetchRequest<Person>()) == 1)
  }

  /// A service with one person, which takes new ones.
  private final class Service: HTTPTransport {
    let methods = Mutex<[String]>([])

    func response(
      to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
    ) throws(HTTPFailure) -> HTTPResponse {
      methods.withLock { $0.append(request.method) }
      let ada = #"{"id": 1, "username": "ada"}"#
      let text = request.method == "POST" ? #"{"id": 2, "username": "bob"}"# : "[\(ada)]"
      return HTTPResponse(status: 200, body: Data(text.utf8))
    }
  }

  @Test func `a service is the store, with the program's own client for the factory's model`()
    async throws
  {
    let factory = try factory()
    let service = Service()
    try factory.setMomdName("Model0")
    try factory.setPersistentStoreType(.inMemory)
    let url = try #require(URL(string: "https://people.example"))
    try factory.setService(over: service) { RESTClient(baseURL: url, model: $0) }
    let context = try factory.managedObjectContext
    let request = FetchRequest<Person>()
    try await until {
      _ = try context.refreshFromStore()
      return try context.fetch(request).map { $0.string("username") } == ["ada"]
    }
    try Person.newObject(from: ["username": "bob"], in: context, saves: true)
    #expect(service.methods.withLock { $0.filter { $0 != "GET" } } == ["POST"])
    #expect(try context.count(for: request) == 2)
    #expect(throws: ManagedObjectError.self) {
      try factory.setService(over: service) { RESTClient(baseURL: url, model: $0) }
    }
  }

  @Test(arguments: StoreType.allCases)
  func `each type of store is created, saved and opened again`(type: StoreType) throws {
    let factory = try factory()
    try factory.setMomdName("Model0")
    try factory.setPersistentStoreType(type)
    let path = folder.path("data/discs.\(type.fileExtension ?? "none")")
    try factory.setPersistentStoreDataPath(path)
    let context = try factory.managedObjectContext
    let ada = try Person.newObject(from: ["username": "ada"], in: context)
    let disc = try Disc.newObject(from: ["title": "Alien"], in: context)
    disc[Disc.owner] = ada
    try context.save()
    guard type != .inMemory else {
      #expect(factory.persistentStoreDataPath == nil)
      return
    }
    #expect(FileManager.default.fileExists(atPath: path))
    let again = try self.factory()
    try again.setMomdName("Model0")
    // What the file is decides how it is read.
    try again.setPersistentStoreDataPath(path)
    let found = try again.managedObjectContext.fetch(FetchRequest<Disc>())
    #expect(found.map { $0[Disc.owner]?[Person.username] } == ["ada"])
    try again.managedObjectContext.delete(found[0])
    try again.managedObjectContext.save()
    #expect(try context.storedCount(of: "Disc") == 0 || type != .sqlite)
  }

  /// What becomes of a store with another model.
  enum Migration: CaseIterable {
    case automatic, off, notInferred, readOnly

    func change(_ options: inout StoreOptions) {
      switch self {
      case .automatic: break
      case .off: options.migratesAutomatically = false
      case .notInferred: options.infersMappingModel = false
      case .readOnly: options.isReadOnly = true
      }
    }
  }

  @Test(arguments: StoreType.allCases.filter { $0 != .inMemory }, Migration.allCases)
  func `a store is migrated when it is opened, unless an option turns that off`(
    type: StoreType, migration: Migration
  ) throws {
    func model(_ name: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            AttributeDescription(
              name, .string,
              details: AttributeDetails(property: PropertyDetails(renamingIdentifier: "name")))
          ])
      ])
    }
    let path = folder.path("people.\(type.fileExtension ?? "")")
    func factory(_ name: String, _ change: (inout StoreOptions) -> Void = { _ in }) throws
      -> StackFactory
    {
      let factory = StackFactory(applicationName: "people", models: ModelLibrary(folders: []))
      try factory.setManagedObjectModel(model(name))
      try factory.setPersistentStoreType(type)
      var options = StoreOptions(layout: .coreData(), type: type)
      change(&options)
      try factory.setPersistentStoreOptions(options)
      try factory.setPersistentStoreDataPath(path)
      return factory
    }
    do {
      let context = try factory("name").managedObjectContext
      try context.insert(entityName: "Person").setValue("Ada", forKey: "name")
      try context.save()
    }
    let later = try factory("fullName", migration.change)
    if migration == .automatic {
      let people = try later.managedObjectContext.fetch(
        FetchRequest<ManagedObject>(entityName: "Person"))
      #expect(people.map { $0["fullName"] } == ["Ada"])
      return
    }
    let error = #expect(throws: (any Error).self) { try later.managedObjectContext }
    #expect("\(error.map { "\($0)" } ?? "")".contains("ame"))
    // The store has its model and its object still.
    let again = try factory("name")
    let people = try again.managedObjectContext.fetch(
      FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { $0["name"] } == ["Ada"])
  }

  @Test func `a store that is opened read-only takes no changes, and its layout is as asked`()
    throws
  {
    for layout in [StoreOptions.Layout.plain, .coreData()] {
      let path = folder.path("layout-\(layout == .plain).sqlite")
      func factory(isReadOnly: Bool) throws -> StackFactory {
        let factory = StackFactory(applicationName: "people", models: ModelLibrary(folders: []))
        try factory.setManagedObjectModel(discModel)
        try factory.setPersistentStoreOptions(StoreOptions(isReadOnly: isReadOnly, layout: layout))
        try factory.setPersistentStoreDataPath(path)
        return factory
      }
      #expect(throws: (any Error).self) { try factory(isReadOnly: true).managedObjectContext }
      do {
        let context = try factory(isReadOnly: false).managedObjectContext
        try Person.newObject(from: ["username": "ada"], in: context, saves: true)
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect((bytes.range(of: Data("ZPERSON".utf8)) != nil) == (layout != .plain))
      let reader = try factory(isReadOnly: true)
      let context = try reader.managedObjectContext
      #expect(try context.count(for: FetchRequest<Person>()) == 1)
      let error = #expect(throws: ManagedObjectError.self) {
        try Person.newObject(from: ["username": "bo"], in: context)
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("read-only"))
    }
  }

  @Test func `a failure is reported each time, and nothing of it is kept`() throws {
    let factory = try factory([])
    let listener = Listener()
    factory.delegate = listener
    for count in 1...2 {
      let error = #expect(throws: StoreError.self) { try factory.managedObjectContext }
      #expect(error?.reason == .notFound)
      #expect(factory.mostRecentError as? StoreError == error)
      #expect(listener.errors.map { $0 as? StoreError } == Array(repeating: error, count: count))
    }
    try factory.setManagedObjectModel(discModel)
    #expect(factory.mostRecentError == nil)
    let context = try factory.managedObjectContext
    let error = #expect(throws: ManagedObjectError.self) {
      try factory.setPersistentStoreType(.inMemory)
    }
    #expect(error?.reason == .alreadyBuilt && factory.persistentStoreType == .sqlite)
    // An error that cannot be thrown is reported too.
    let ada = try Person.insert(into: context)
    ada["username"] = 7
    #expect(listener.errors.count == 4)
  }

  @Test func `after a failure the same access tries again`() throws {
    let factory = try factory([])
    let error = #expect(throws: StoreError.self) { try factory.managedObjectContext }
    #expect(error?.reason == .notFound)
    // Another program creates the store.
    let path = try #require(factory.persistentStoreDataPath)
    let stranger = try PersistentContainer(path: path, model: discModel).viewContext
    try Person.newObject(from: ["username": "ada"], in: stranger, saves: true)
    let ada = try Person.object(in: factory.managedObjectContext)
    #expect(ada?[Person.username] == "ada" && factory.mostRecentError == nil)
  }

  @Test func `a model that is not found throws, and names what there is`() throws {
    let factory = try factory()
    try factory.setMomdName("Nowhere")
    let error = #expect(throws: ManagedObjectError.self) { try factory.managedObjectModel }
    #expect(error?.reason == .modelNotFound && error?.subject == "Nowhere")
    let memory = StackFactory(applicationName: "discs", models: ModelLibrary(folders: []))
    try memory.setPersistentStoreType(.inMemory)
    #expect(throws: ManagedObjectError.self) { try memory.managedObjectContext }
    try memory.setManagedObjectModel(discModel)
    #expect(try memory.managedObjectContext.model == discModel)
  }

  @Test func `a secondary context lives in another isolation, and is merged`() async throws {
    let factory = try factory([])
    try factory.setManagedObjectModel(discModel)
    let primary = try factory.managedObjectContext
    var inserted: Set<ObjectID> = []
    let observation = primary.observe {
      if case .changed(let change) = $0 { inserted.formUnion(change.inserted) }
    }
    let importer = Importer(try factory.secondaryManagedObjectContext())
    let id = try await importer.add("ada")
    try await until { inserted.contains(id) }
    observation.cancel()
    let ada = try Person.object(with: id, in: primary)
    #expect(ada[Person.username] == "ada")
  }
}

/// Owns a context of its own.
private actor Importer {
  private let context: ManagedObjectContext

  init(_ context: sending ManagedObjectContext) { self.context = context }

  func add(_ username: String) throws -> ObjectID {
    let person = try Person.newObject(from: ["username": username], in: context, saves: true)
    return person.objectID
  }
}
