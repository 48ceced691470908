import Dispatch
public import ManagedObjects
public import ObjectModel

/// Opens a store, or creates it, and hands out the contexts: NSPersistentContainer.
///
///     let container = try PersistentContainer("discs", entityClasses: [Person.self, Disc.self])
///     let people = try container.viewContext.fetch(Person.fetchRequest())
///     let count = try await container.perform { context in
///       try Disc.newObject(from: ["title": "Alien"], in: context)
///       try context.save()
///       return try context.count(for: Disc.fetchRequest())
///     }
///
/// There is no second step that loads the store: a container whose initialiser has not thrown is
/// open. It can be used from any thread. The compiler keeps each context, and its objects, in one
/// isolation domain.
public final class PersistentContainer: Sendable {
  /// The name of the container.
  public let name: String

  /// The coordinator that all contexts of the container share.
  public let persistentStoreCoordinator: PersistentStoreCoordinator

  /// Whether the container has created its store, so that it has no objects yet.
  public let isNew: Bool

  private let queue = DispatchQueue(label: "cardfile.container", attributes: .concurrent)
  @MainActor private var mainContext: ManagedObjectContext?

  /// Creates a container for a store that is open.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - name: The name of the container; nil for that of the store.
  ///   - entityClasses: The classes of entities, for all contexts: the list that `cardfile generate`
  ///     writes. A class that is only fetched and inserted by its own type need not be in it.
  public convenience init(
    store: any PersistentStore, name: String? = nil, entityClasses: [any EntityClass.Type] = []
  ) {
    self.init(store: store, isNew: false, name: name, entityClasses: entityClasses)
  }

  init(
    store: any PersistentStore, isNew: Bool, name: String?, entityClasses: [any EntityClass.Type]
  ) {
    self.isNew = isNew
    self.name = name ?? store.summary.name
    persistentStoreCoordinator = PersistentStoreCoordinator(
      store: store, entityClasses: entityClasses)
  }

  /// The model of the store.
  public var managedObjectModel: ManagedObjectModel { persistentStoreCoordinator.model }

  /// The context of the main actor, created on first access.
  ///
  /// It merges by itself what other contexts of the container and other processes save, in a task of
  /// the main actor. An error of that is reported to its `onError`. A wake of your own
  /// (`wakeOnForeignSave`) replaces it.
  @preconcurrency @MainActor public var viewContext: ManagedObjectContext {
    if let mainContext { return mainContext }
    let context = ManagedObjectContext(coordinator: persistentStoreCoordinator)
    context.queue.isMain = true
    MainContextUpdates.start(for: context)
    mainContext = context
    return context
  }

  /// Makes a new context, for the isolation domain that calls this or an actor that it is sent to.
  ///
  /// Its saves are merged into ``viewContext``. It merges those of others when its domain calls
  /// `processPendingChanges()`.
  ///
  /// - Returns: The context.
  public func newBackgroundContext() -> sending ManagedObjectContext {
    ManagedObjectContext(coordinator: persistentStoreCoordinator)
  }

  /// Runs a closure with a context of its own on another thread: `performBackgroundTask`.
  ///
  /// The closure saves; changes that it does not save are discarded with its context. Several run at
  /// the same time. If the calling task is cancelled, a long fetch or save in the closure stops, and
  /// what it was saving is rolled back.
  ///
  /// - Parameter block: What to do. It cannot capture or return objects: pass an `ObjectID`, and
  ///   return values.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; `CancellationError` if the task was cancelled.
  public func perform<Output: Sendable>(
    _ block: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws -> Output {
    try Task.checkCancellation()
    let control = FetchControl(isPatient: true)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { [self] in
          continuation.resume(
            with: Result {
              try FetchControl.$current.withValue(control) { try run(block, control) }
            })
        }
      }
    } onCancel: {
      control.cancel()
    }
  }

  private func run<Output>(
    _ block: (ManagedObjectContext) throws -> Output, _ control: FetchControl
  ) throws -> Output {
    let context = newBackgroundContext()
    do {
      return try context.queue.wait(in: context) { try block(context) }
    } catch let error as ManagedObjectError {
      if control.isCancelled, error.storeError?.reason == .cancelled { throw CancellationError() }
      // It leaves the domain of its objects.
      throw error.withoutObjects
    }
  }
}
