import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
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
