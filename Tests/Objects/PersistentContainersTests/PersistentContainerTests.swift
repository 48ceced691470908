import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@MainActor @Suite struct PersistentContainerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container(
    _ model: ManagedObjectModel? = discModel, options: StoreOptions = StoreOptions()
  ) throws -> PersistentContainer {
    try PersistentContainer(path: folder.path("new/discs.sqlite"), model: model, options: options)
  }

  @Test(arguments: [StoreOptions.Layout.plain, .coreData()])
  func `a store is created with its folder, and opened again by what it is`(
    layout: StoreOptions.Layout
  ) throws {
    let first = try container(options: StoreOptions(layout: layout))
    #expect(first.name == "discs")
    try Person.newObject(from: ["username": "ada"], in: first.viewContext, saves: true)
    for model in [nil, discModel] {
      let again = try container(model)
      #expect(try again.viewContext.count(for: FetchRequest<Person>()) == 1)
      let kind = again.persistentStoreCoordinator.store.summary.kind
      #expect((kind == "Core Data store") == (layout != .plain), "\(kind)")
    }
  }

  @Test func `a container says whether it created its store, at a given path too`() throws {
    let path = folder.path("given.sqlite")
    let first = try PersistentContainer("discs", path: path, model: discModel)
    #expect(first.isNew && first.name == "discs")
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try !PersistentContainer("discs", path: path, model: discModel).isNew)
    #expect(try !PersistentContainer(path: path).isNew)
    #expect(PersistentContainer(inMemory: discModel).isNew)
  }

  private static let otherModel = ManagedObjectModel {
    Entity("Person") {
      Attribute("username", .string, isOptional: false)
      Attribute("age", .integer64, default: 7)
    }
  }

  @Test(arguments: [StoreOptions.Layout.plain, .coreData()])
  func `a store with another model is migrated`(layout: StoreOptions.Layout) throws {
    let made = try container(options: StoreOptions(layout: layout))
    let person = try Person.insert(into: made.viewContext)
    try person.setValue("ada", forKey: "username")
    try made.viewContext.save()
    let uri = person.objectID.uriRepresentation
    let context = try container(Self.otherModel).viewContext
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { $0["username"] } == ["ada"] && people.map { $0["age"] } == [7])
    #expect(people.map { $0.objectID.uriRepresentation } == [uri])
  }

  @Test(arguments: [\StoreOptions.migratesAutomatically, \.infersMappingModel])
  func `a store with another model is refused if asked, and what differs is named`(
    option: WritableKeyPath<StoreOptions, Bool> & Sendable
  ) throws {
    _ = try container()
    var options = StoreOptions()
    options[keyPath: option] = false
    let error = #expect(throws: StoreError.self) {
      try container(Self.otherModel, options: options)
    }
    let message = error?.description ?? ""
    #expect(message.contains("Person.age is missing"), "\(message)")
    #expect(message.contains("Disc is additional"), "\(message)")
    #expect(error?.remedy.isEmpty == false)
    _ = try container()
  }

  @Test func `a migration that cannot be inferred is refused with its reason`() throws {
    _ = try container()
    let other = ManagedObjectModel {
      Entity("Person") { Attribute("username", .date, isOptional: false) }
    }
    let error = #expect(throws: StoreError.self) { try container(other) }
    let message = error?.description ?? ""
    #expect(message.contains("Person.username cannot become date"), "\(message)")
    let foreign = ManagedObjectModel { Entity("Thing") { Attribute("text", .string) } }
    let difference = #expect(throws: StoreError.self) { try container(foreign) }
    #expect(difference?.description.contains("Thing is missing") == true)
    _ = try container()
  }

  @Test func `a read-only store is not created and not written`() throws {
    #expect(throws: StoreError.self) { try container(options: StoreOptions(isReadOnly: true)) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    _ = try container()
    let context = try container(options: StoreOptions(isReadOnly: true)).viewContext
    #expect(throws: ManagedObjectError.self) { try Person.insert(into: context) }
  }

  @Test func `without a model and a file there is nothing to open`() throws {
    let error = #expect(throws: StoreError.self) { try container(nil) }
    #expect(error?.reason == .notFound)
    let named = #expect(throws: ManagedObjectError.self) {
      try PersistentContainer("no-such-model-\(UUID().uuidString)")
    }
    #expect(named?.reason == .modelNotFound && named?.remedy.isEmpty == false)
  }

  @Test func `background work returns values, and the main context follows`() async throws {
    let container = try container()
    let context = container.viewContext
    var changes = 0
    let observation = context.observe { if case .changed = $0 { changes += 1 } }
    let ids = try await container.perform { context in
      let people = try ["ada", "bob"].map {
        try Person.newObject(from: ["username": $0], in: context)
      }
      try context.save()
      return people.map(\.objectID)
    }
    #expect(ids.count == 2 && !ids.contains { $0.isTemporary })
    try await until { changes > 0 }
    let ada = try Person.object(with: ids[0], in: context)
    #expect(ada[Person.username] == "ada")
    let id = ada.objectID
    try await container.perform { context in
      let ada = try Person.object(with: id, in: context)
      ada[Person.username] = "lovelace"
      try context.save()
    }
    try await until { ada[Person.username] == "lovelace" }
    observation.cancel()
  }

  @Test func `the main context follows commits of others`() async throws {
    let container = try container()
    let context = container.viewContext
    let ada = try Person.newObject(from: ["username": "ada"], in: context, saves: true)
    // A second container has a coordinator and a store of its own, as another process has.
    let stranger = try self.container(nil).viewContext
    let theirs = try #require(try Person.object(in: stranger))
    theirs[Person.username] = "lovelace"
    try stranger.save()
    try await until { ada[Person.username] == "lovelace" }
  }

  @Test func `what the closure throws is thrown, and what it does not save is discarded`()
    async throws
  {
    struct Stop: Error {}
    let container = PersistentContainer(inMemory: discModel)
    await #expect(throws: Stop.self) {
      try await container.perform { context in
        try Person.newObject(from: ["username": "ada"], in: context)
        throw Stop()
      }
    }
    let count = try await container.perform { try $0.count(for: FetchRequest<Person>()) }
    #expect(count == 0)
  }

  @Test func `a cancelled task stops its work, and what it was saving is not saved`() async throws {
    let container = try container()
    let savedCount = Mutex(0)
    let task = Task {
      try await container.perform { context in
        for number in 0... {
          let person = try Person.newObject(from: ["username": "\(number)"], in: context)
          let disc = try Disc.newObject(from: ["title": "\(number)"], in: context)
          disc[Disc.owner] = person
          try context.save()
          savedCount.withLock { $0 += 1 }
        }
      }
    }
    // The main actor may be busy with other tests for minutes, in which the task would save on and
    // on, and keep a thread of the pool from them.
    Thread.detachNewThread {
      while savedCount.withLock({ $0 }) < 3 { usleep(1_000) }
      task.cancel()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // A second container sees what is in the file.
    let names = (0..<savedCount.withLock { $0 }).map { "\($0)" }.sorted()
    #expect(names.count > 2)
    for context in [container.viewContext, try self.container(nil).viewContext] {
      let discs = try Disc.objects(in: context)
      #expect(discs.compactMap { $0[Disc.title] }.sorted() == names)
      #expect(discs.allSatisfy { $0[Disc.owner]?[Person.username] == $0[Disc.title] })
      #expect(try Person.objects(in: context).map { $0[Person.username] }.sorted() == names)
    }
  }

  @Test func `a task that was cancelled before does no work`() async throws {
    let container = PersistentContainer(inMemory: discModel)
    // It starts when the main actor is free: after the cancellation.
    let task = Task { try await container.perform { _ in Issue.record("It ran.") } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a background context lives in an actor`() async throws {
    actor Counter {
      let context: ManagedObjectContext
      init(_ container: PersistentContainer) { context = container.newBackgroundContext() }
      func count() throws -> Int { try context.count(for: FetchRequest<Person>()) }
    }
    let container = PersistentContainer(inMemory: discModel)
    try Person.newObject(from: ["username": "ada"], in: container.viewContext, saves: true)
    #expect(try await Counter(container).count() == 1)
  }
}
