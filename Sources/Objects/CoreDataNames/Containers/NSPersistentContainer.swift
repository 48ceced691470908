public import Foundation
public import ManagedObjects
public import ObjectModel
public import PersistentContainers
import Synchronization

/// Opens a store in two steps: a `PersistentContainer` that is made by ``loadPersistentStores(completionHandler:)``.
///
/// It has one store. It cannot be subclassed: a class that is sent between threads must be final.
/// A file that it creates has plain tables, as those of a `PersistentContainer`; Core Data's own
/// files are opened as they are.
public final class NSPersistentContainer: Sendable {
  /// The name of the container, and of its file.
  public let name: String

  private struct State {
    var descriptions: [NSPersistentStoreDescription]
    var container: PersistentContainer?
  }

  private let model: Result<ManagedObjectModel, any Error>
  private let entityClasses: [any EntityClass.Type]
  private let state: Mutex<State>

  /// Creates a container for the model of its name in the program's resources.
  ///
  /// - Parameters:
  ///   - name: The name of the model and of the file. If there is no such model, loading the store
  ///     reports it.
  ///   - entityClasses: The classes of entities: without the Objective-C runtime a class is not found
  ///     by the name that the model has. A class that is only fetched and inserted by its own type
  ///     need not be in it.
  public convenience init(name: String, entityClasses: [any EntityClass.Type] = []) {
    self.init(
      name: name, model: Result { try ModelLibrary.program.model(named: name) },
      entityClasses: entityClasses)
  }

  /// Creates a container.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - managedObjectModel: The model.
  ///   - entityClasses: The classes of entities, as in ``init(name:entityClasses:)``.
  public convenience init(
    name: String, managedObjectModel: NSManagedObjectModel,
    entityClasses: [any EntityClass.Type] = []
  ) {
    self.init(name: name, model: .success(managedObjectModel), entityClasses: entityClasses)
  }

  private init(
    name: String, model: Result<ManagedObjectModel, any Error>,
    entityClasses: [any EntityClass.Type]
  ) {
    self.name = name
    self.model = model
    self.entityClasses = entityClasses
    let url = Self.defaultDirectoryURL().appending(path: "\(name).sqlite")
    state = Mutex(State(descriptions: [NSPersistentStoreDescription(url: url)]))
  }

  /// The folder of the files: that of the program in `$XDG_DATA_HOME` or `~/.local/share`.
  public static func defaultDirectoryURL() -> URL {
    URL(filePath: StoreLocation.folder(ofApplication: StoreLocation.programName))
  }

  /// The model; empty if it was not found.
  public var managedObjectModel: NSManagedObjectModel {
    (try? model.get()) ?? NSManagedObjectModel(entities: [])
  }

  /// How the store is opened: one description, to be changed or replaced before it is loaded, or one
  /// for each configuration of the model that has a store of its own.
  public var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { state.withLock { $0.descriptions } }
    set { state.withLock { $0.descriptions = newValue } }
  }

  /// Opens the store, or creates it, before it returns.
  ///
  /// - Parameter block: Called once for each description, with the error if the store was not
  ///   opened.
  public func loadPersistentStores(
    completionHandler block: (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let descriptions = persistentStoreDescriptions
    do {
      try load(descriptions)
      for description in descriptions { block(description, nil) }
    } catch {
      for description in descriptions { block(description, error) }
    }
  }

  private func load(_ descriptions: [NSPersistentStoreDescription]) throws {
    let model = try model.get()
    guard state.withLock({ $0.container == nil }) else {
      throw refusal(
        "the container has a store already", try: "make a container for each store")
    }
    guard let first = descriptions.first else { return }
    let container: PersistentContainer
    if descriptions.count > 1 {
      container = try PersistentContainer(
        name, model: model, configurations: descriptions.map(configuration),
        entityClasses: entityClasses)
    } else if let path = try path(of: first) {
      container = try PersistentContainer(
        path: path, model: model, options: first.storeOptions ?? StoreOptions(),
        entityClasses: entityClasses)
    } else {
      container = PersistentContainer(inMemory: model, entityClasses: entityClasses)
    }
    state.withLock { $0.container = container }
  }

  /// One of several stores.
  private func configuration(_ description: NSPersistentStoreDescription) throws
    -> StoreConfiguration
  {
    guard let configuration = description.configuration else {
      throw refusal(
        "there are several stores, and one has no configuration",
        try: "give each description a configuration of the model")
    }
    return StoreConfiguration(
      configuration, path: try path(of: description),
      options: description.storeOptions ?? StoreOptions())
  }

  /// The path of a store's file; nil for memory.
  private func path(of description: NSPersistentStoreDescription) throws -> String? {
    if description.isInMemory { return nil }
    guard description.storeOptions != nil, let url = description.url else {
      throw refusal(
        description.url == nil
          ? "its description has no url" : "there are no stores of the type \(description.type)",
        try: "describe a file, or a store in memory")
    }
    return url.path
  }

  private func refusal(_ detail: String, try remedy: String) -> ManagedObjectError {
    ManagedObjectError(
      .unsupported, doing: "opening a store", subject: name, detail: detail, remedy: remedy)
  }

  /// The container whose store is open; traps before the store was loaded.
  public var container: PersistentContainer {
    guard let container = state.withLock({ $0.container }) else {
      preconditionFailure(
        "The container \(name) has no store: call loadPersistentStores, and look at its error.")
    }
    return container
  }

  /// The coordinator of all contexts; traps before the store was loaded.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator {
    container.persistentStoreCoordinator
  }

  /// The context of the main actor; traps before the store was loaded.
  ///
  /// Its undo is recorded. Its changes are processed, and results controllers notified, at the end of
  /// `perform` and `performAndWait`, by a save or `processPendingChanges()`: there is no run loop that
  /// does it. Elsewhere than on the main actor it is a warning in Swift 6 and nothing in Swift 5.
  @preconcurrency @MainActor public var viewContext: NSManagedObjectContext {
    container.viewContext
  }

  /// Makes a new context, for the isolation domain that calls this or an actor that it is sent to.
  ///
  /// It has no thread of its own; see `performBackgroundTask(_:)`.
  ///
  /// - Returns: The context.
  public func newBackgroundContext() -> sending NSManagedObjectContext {
    container.newBackgroundContext()
  }

  /// Runs a closure with a context of its own on another thread, and returns at once.
  ///
  /// - Parameter block: What to do. It cannot capture objects: pass an `NSManagedObjectID`.
  public func performBackgroundTask(
    _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) {
    let container = container
    // Not cancelled by anybody, so nothing is thrown.
    Task { try await container.perform(block) }
  }

  /// Runs a closure with a context of its own on another thread, and waits for it.
  ///
  /// - Parameter block: What to do. It cannot capture or return objects.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; `CancellationError` if the task was cancelled.
  public func performBackgroundTask<Result: Sendable>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    try await container.perform(block)
  }
}
