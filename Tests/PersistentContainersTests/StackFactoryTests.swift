import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import Testing

@MainActor @Suite struct StackFactoryTests {
  private final class Listener: StackFactoryDelegate {
    var errors: [any Error] = []
    func stackFactory(_ factory: StackFactory, encounteredError error: any Error) {
      errors.append(error)
    }
  }

  private let folder = TemporaryFolder()

  private func factory(_ models: [ManagedObjectModel] = [discModel]) throws -> StackFactory {
    for (index, model) in models.enumerated() {
      try model.json().write(to: URL(filePath: folder.path("Model\(index).json")))
    }
    let factory = StackFactory(
      applicationName: "discs", models: ModelLibrary(folders: [folder.path("")]))
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

  @Test func `a failure is told each time, and nothing of it is kept`() throws {
    let factory = try factory([])
    let listener = Listener()
    factory.delegate = listener
    #expect(throws: (any Error).self) { try factory.managedObjectContext }
    #expect(factory.mostRecentError != nil && listener.errors.count == 1)
    try factory.setManagedObjectModel(discModel)
    #expect(factory.mostRecentError == nil)
    let context = try factory.managedObjectContext
    let error = #expect(throws: ManagedObjectError.self) {
      try factory.setPersistentStoreType(.inMemory)
    }
    #expect(error?.reason == .alreadyBuilt && factory.persistentStoreType == .sqlite)
    // An error that cannot be thrown is told too.
    let ada = try Person.insert(into: context)
    ada["username"] = 7
    #expect(listener.errors.count == 3)
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
    let importer = Importer(try factory.secondaryManagedObjectContext())
    let id = try await importer.add("ada")
    try await until { primary.registeredCount(of: "Person") == 1 }
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
