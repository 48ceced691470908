import Foundation
import ObjectModel
import Testing

@testable import ManagedObjects

struct StackFactoryTests {
  private final class Listener: StackFactoryDelegate {
    var errors: [any Error] = []
    func stackFactory(_ factory: StackFactory, encounteredError error: any Error) {
      errors.append(error)
    }
  }

  @Test func `the file name and path depend on the application and the store type`() throws {
    let factory = StackFactory(applicationName: "notes") { _, _, _ in
      InMemoryStore(model: peopleModel)
    }
    #expect(factory.persistentStoreDataFileName == "notes.sqlite")
    #expect(factory.persistentStoreDataPath?.hasSuffix("/notes/notes.sqlite") == true)
    try factory.setPersistentStoreType(.binary)
    #expect(factory.persistentStoreDataFileName == "notes.binary")
    try factory.setPersistentStoreType(.inMemory)
    #expect(factory.persistentStoreDataFileName == nil && factory.persistentStoreDataPath == nil)
  }

  @Test func `a failure to open is reported, and the next access tries again`() throws {
    var attempts = 0
    let path = NSTemporaryDirectory() + "cardfile-stack-\(UUID().uuidString)/a.sqlite"
    let factory = StackFactory(applicationName: "notes") { given, model, options in
      attempts += 1
      #expect(given == path && !options.isReadOnly && model == nil)
      if attempts == 1 { throw StoreError(.locked, doing: "opening", subject: given) }
      return InMemoryStore(model: peopleModel)
    }
    try factory.setPersistentStoreDataPath(path)
    let listener = Listener()
    factory.delegate = listener
    #expect(throws: StoreError.self) { try factory.managedObjectContext }
    #expect(factory.mostRecentError != nil && listener.errors.count == 1)
    let context = try factory.managedObjectContext
    #expect(factory.mostRecentError == nil)
    #expect(try factory.managedObjectContext === context)
    #expect(attempts == 2)
    let error = #expect(throws: ManagedObjectError.self) {
      try factory.setPersistentStoreType(.inMemory)
    }
    #expect(error?.reason == .alreadyBuilt && factory.persistentStoreType == .sqlite)
    try FileManager.default.removeItem(
      at: URL(filePath: path).deletingLastPathComponent())
  }

  @Test(arguments: [StoreType.xml, .binary])
  func `store types that are not supported throw`(type: StoreType) throws {
    let factory = StackFactory(applicationName: "notes") { _, _, _ in
      InMemoryStore(model: peopleModel)
    }
    try factory.setPersistentStoreType(type)
    let error = #expect(throws: ManagedObjectError.self) { try factory.managedObjectContext }
    #expect(error?.reason == .unsupported)
    #expect(error?.description.contains("\(type.rawValue) stores are not supported yet") == true)
  }

  @Test func `a model that is not found throws`() throws {
    let factory = StackFactory(applicationName: "notes") { _, _, _ in
      InMemoryStore(model: peopleModel)
    }
    try factory.setPersistentStoreType(.inMemory)
    #expect(throws: ManagedObjectError.self) { try factory.managedObjectContext }
    try factory.setMomdName("Nowhere")
    let error = #expect(throws: ManagedObjectError.self) { try factory.managedObjectModel }
    #expect(error?.reason == .modelNotFound && error?.subject == "Nowhere")
    try factory.setManagedObjectModel(albumModel)
    #expect(try factory.managedObjectModel == albumModel)
    #expect(try factory.managedObjectContext.model == albumModel)
  }

  @Test func `saves of secondary contexts are merged into the primary one`() throws {
    let factory = StackFactory(applicationName: "notes") { _, _, _ in
      InMemoryStore(model: peopleModel)
    }
    try factory.setPersistentStoreType(.inMemory)
    try factory.setManagedObjectModel(peopleModel)
    let primary = try factory.managedObjectContext
    let secondary = try factory.secondaryManagedObjectContext
    #expect(try factory.secondaryManagedObjectContext !== secondary)
    let ada = try secondary.make("Person", "Ada")
    try secondary.save()
    #expect(primary.processPendingChanges()?.inserted == [ada.objectID])
    #expect(primary.object(with: ada.objectID)["name"] == "Ada")
  }
}
