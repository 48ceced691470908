import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import SQLiteStore
import TestStores
import TestSupport
import Testing

@Suite struct `Containers and other isolation domains` {
  final class Company: ManagedObject, EntityClass {
    static var entityName: String { "Company" }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A container with the people of an ``Office``.
  private func container(_ kind: Kind, isEmpty: Bool = false) throws -> PersistentContainer {
    let store = try kind.makeStore(Office.model, in: folder)
    if !isEmpty {
      try Office.fill(ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    }
    return PersistentContainer(store: store, entityClasses: [Company.self])
  }

  // Core Data: NSPersistentContainer.viewContext: one context for the main queue.
  @MainActor @Test(arguments: stores) func `a container has one view context`(kind: Kind) throws {
    let container = try container(kind)
    #expect(container.viewContext === container.viewContext)
    #expect(try container.viewContext.names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSPersistentContainer.newBackgroundContext(): a new one each time.
  @Test(arguments: stores) func `every background context is another one`(kind: Kind) throws {
    let container = try container(kind)
    let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
    #expect(one !== two)
    #expect(one.persistentStoreCoordinator === two.persistentStoreCoordinator)
  }

  // Core Data: NSPersistentContainer.performBackgroundTask(_:): its result is returned.
  @Test(arguments: stores) func `work in the background returns values`(kind: Kind) async throws {
    let container = try container(kind)
    let names = try await container.perform { try $0.names() }
    #expect(names == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectContext.perform(_:): an error is thrown to the caller.
  @Test(arguments: stores) func `work in the background throws its error`(kind: Kind) async throws {
    struct Failure: Error {}
    let container = try container(kind)
    await #expect(throws: Failure.self) {
      try await container.perform { _ in throw Failure() }
    }
  }

  // Core Data: NSPersistentContainer.performBackgroundTask(_:): unsaved changes are lost with its
  // context.
  @Test(arguments: stores) func `what work in the background does not save is not written`(
    kind: Kind
  )
    async throws
  {
    let container = try container(kind)
    try await container.perform { _ = try $0.make("New") }
    #expect(try await container.perform { try $0.names() } == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectID: passed between queues in place of an object.
  @MainActor @Test(arguments: stores) func `an ID leads to the object in another domain`(kind: Kind)
    async throws
  {
    let container = try container(kind)
    let ada = try container.viewContext.named("Ada")
    let id = ada.objectID
    let age = try await container.perform { context in
      let ada = try context.existingObject(with: id)
      ada["age"] = .integer((ada.integer("age") ?? 0) + 1)
      try context.save()
      return ada["age"]
    }
    container.viewContext.processPendingChanges()
    #expect(age == 37 && ada["age"] == 37)
  }

  // Core Data: NSManagedObjectContext.automaticallyMergesChangesFromParent of viewContext.
  @MainActor @Test(arguments: stores)
  func `the view context merges saves of the background by itself`(
    kind: Kind
  ) async throws {
    let container = try container(kind)
    let ada = try container.viewContext.named("Ada")
    #expect(ada["age"] == 36)
    try await container.perform { context in
      try context.named("Ada")["age"] = 50
      try context.save()
    }
    try await until { ada["age"] == 50 }
  }

  // Core Data: NSEntityDescription.managedObjectClassName: every context has the classes.
  @MainActor @Test(arguments: stores) func `all contexts of a container have its classes`(
    kind: Kind
  )
    async throws
  {
    let container = try container(kind)
    #expect(try container.viewContext.named("Acme", "Company") is Company)
    #expect(try await container.perform { try $0.named("Acme", "Company") is Company })
  }

  // Core Data: a coordinator serializes saves of many contexts.
  @Test(arguments: stores) func `many contexts save at the same time, and nothing is lost`(
    kind: Kind
  )
    async throws
  {
    let container = try container(kind, isEmpty: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<10 {
            try await container.perform { context in
              try context.make("\(worker).\(number)")
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await container.perform { try $0.names().count } == 40)
  }

  // Core Data: changes of many contexts to one object, merged by the policy.
  @Test(arguments: stores) func `many contexts change one object without losing a property`(
    kind: Kind
  )
    async throws
  {
    let container = try container(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (key, value) in [("age", Value.integer(1)), ("height", 1.5), ("code", "c")] {
        group.addTask {
          try await container.perform { context in
            context.mergePolicy = .mergeByPropertyObjectTrump
            try context.named("Ada")[key] = value
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let values = try await container.perform { context in
      let ada = try context.named("Ada")
      return [ada["age"], ada["height"], ada["code"]]
    }
    #expect(values == [1, 1.5, "c"])
  }

  // Core Data: a cancelled task does not begin its work.
  @Test(arguments: stores) func `work of a cancelled task does not begin`(kind: Kind) async throws {
    let container = try container(kind)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await container.perform { context in
        try context.make("New")
        try context.save()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await container.perform { try $0.names() } == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSPersistentContainer.loadPersistentStores: what was saved is there the next time.
  @Test(arguments: [Kind.plain, .coreData]) func `a file that is opened again has what was saved`(
    kind: Kind
  ) throws {
    do {
      let store = try kind.makeStore(Office.model, in: folder)
      let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      try context.make("Ada").add(context.make("red", "Tag"), forKey: "tags")
      try context.save()
    }
    let store = try SQLiteStore.open(path: folder.path("store"))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    #expect(try context.named("Ada").names("tags") == ["red"])
  }
}
