import CoreDataNames
import TestSupport
import Testing

/// Containers that open their store in a second step.
struct ContainerTests {
  private static let model = NSManagedObjectModel { Entity("Thing") { Attribute("text", .string) } }

  private func error(_ container: NSPersistentContainer) -> (any Error)? {
    var found: (any Error)?
    container.loadPersistentStores { _, error in found = error }
    return found
  }

  @Test func `the model is found by its name in the resources of the program`() throws {
    let container = NSPersistentContainer(name: "DVDs")
    #expect(container.managedObjectModel.entities.map(\.name) == ["DVD", "Person"])
    let missing = NSPersistentContainer(name: "Nothing")
    #expect(missing.managedObjectModel.entities.isEmpty)
    #expect((error(missing) as? ManagedObjectError)?.reason == .modelNotFound)
  }

  @Test func `the file is named after the container, and may be another one`() throws {
    let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    let folder = NSPersistentContainer.defaultDirectoryURL()
    #expect(
      container.persistentStoreDescriptions.map(\.url) == [folder.appending(path: "things.sqlite")])
    #expect(container.name == "things")
    let temporary = try TemporaryFolder()
    let description = NSPersistentStoreDescription(url: temporary.url("a/b.sqlite"))
    container.persistentStoreDescriptions = [description]
    var loaded: [NSPersistentStoreDescription] = []
    container.loadPersistentStores { description, _ in loaded.append(description) }
    #expect(loaded.map(ObjectIdentifier.init) == [ObjectIdentifier(description)])
    let exists = FileManager.default.fileExists(atPath: temporary.path("a/b.sqlite"))
    #expect(exists)
    #expect(error(container) != nil)
  }

  @Test func `a store may be read-only`() throws {
    let temporary = try TemporaryFolder()
    let description = NSPersistentStoreDescription(url: temporary.url("things.sqlite"))
    description.isReadOnly = true
    let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions = [description]
    #expect(error(container) != nil)
    let writable = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    writable.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: temporary.url("things.sqlite"))
    ]
    #expect(error(writable) == nil)
    #expect(error(container) == nil)
    #expect(throws: ManagedObjectError.self) {
      try container.viewContext.insert(entityName: "Thing")
    }
  }

  @Test func `a store with another model is migrated, unless the description says not to`() throws {
    let temporary = try TemporaryFolder()
    let other = NSManagedObjectModel { Entity("Thing") { Attribute("number", .double) } }
    func error(
      _ model: NSManagedObjectModel, _ change: (NSPersistentStoreDescription) -> Void = { _ in }
    ) -> (any Error)? {
      let container = NSPersistentContainer(name: "things", managedObjectModel: model)
      container.persistentStoreDescriptions[0].url = temporary.url("things.sqlite")
      change(container.persistentStoreDescriptions[0])
      return self.error(container)
    }
    #expect(error(Self.model) == nil)
    let off = error(other) {
      $0.setOption(false, forKey: NSMigratePersistentStoresAutomaticallyOption)
    }
    #expect(off is StoreError)
    #expect(error(other) { $0.shouldInferMappingModelAutomatically = false } is StoreError)
    #expect(error(Self.model) == nil)
    #expect(error(other) == nil)
    #expect(error(other) { $0.shouldMigrateStoreAutomatically = false } == nil)
  }

  @Test func `a type of store that does not exist is an error, and so is no file`() {
    for change in [{ $0.type = "Paper" }, { $0.url = nil }]
      as [(NSPersistentStoreDescription) -> Void]
    {
      let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
      change(container.persistentStoreDescriptions[0])
      #expect((error(container) as? ManagedObjectError)?.reason == .unsupported)
    }
  }

  @Test func `several stores have the entities of their configurations`() throws {
    let temporary = try TemporaryFolder()
    let model = NSManagedObjectModel(
      entities: [
        EntityDescription(name: "Thing", attributes: [AttributeDescription("name", .string)]),
        EntityDescription(name: "Setting", attributes: [AttributeDescription("key", .string)]),
      ], details: ModelDetails(configurations: ["Data": ["Thing"], "Local": ["Setting"]]))
    let container = NSPersistentContainer(name: "things", managedObjectModel: model)
    let descriptions = ["Data", "Local"].map { name in
      let description = NSPersistentStoreDescription(url: temporary.url(name))
      description.configuration = name
      return description
    }
    descriptions[1].type = NSXMLStoreType
    container.persistentStoreDescriptions = descriptions
    #expect(error(container) == nil)
    let context = container.viewContext
    for name in ["Thing", "Setting"] {
      _ = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    }
    try context.save()
    let text = try String(contentsOf: temporary.url("Local"), encoding: .utf8)
    #expect(text.contains("<object type=\"SETTING\""))
    #expect(FileManager.default.fileExists(atPath: temporary.path("Data")))
    // They are loaded once, and what one store is refused for each of several is too.
    #expect((error(container) as? ManagedObjectError)?.reason == .unsupported)
    for change in [{ $0.configuration = nil }, { $0.type = "Paper" }, { $0.url = nil }]
      as [(NSPersistentStoreDescription) -> Void]
    {
      let description = NSPersistentStoreDescription(url: temporary.url("Data"))
      description.configuration = "Data"
      change(description)
      let again = NSPersistentContainer(name: "things", managedObjectModel: model)
      again.persistentStoreDescriptions = [description, descriptions[1]]
      #expect((self.error(again) as? ManagedObjectError)?.reason == .unsupported)
    }
  }

  @Test func `work in the background has a context of its own and another thread`() async throws {
    let container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    #expect(error(container) == nil)
    let isMain: Bool = await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        do { try context.save() } catch { Issue.record(error) }
        continuation.resume(returning: Thread.isMainThread)
      }
    }
    #expect(!isMain)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    #expect(try container.viewContext.count(for: request) == 1)
    let count = try await container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    }
    #expect(count == 1)
    #expect(try container.newBackgroundContext().count(for: request) == 1)
  }

  @Test func `models are read from files and merged`() throws {
    let url = Repository.root.appending(path: "Tests/Objects/CoreDataNamesTests/DVDs.xcdatamodeld")
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model == NSPersistentContainer(name: "DVDs").managedObjectModel)
    #expect(NSManagedObjectModel(contentsOf: url.appending(path: "none")) == nil)
    let merged = try #require(NSManagedObjectModel.mergedModel(from: [Bundle.module]))
    #expect(merged.entitiesByName.keys.sorted() == ["DVD", "Person"])
    #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    // The models of other programs that lie beside the tests may exclude each other.
    #expect(
      NSManagedObjectModel.mergedModel(from: nil) == (try? ModelLibrary.program.mergedModel()))
  }
}
