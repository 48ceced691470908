public import ObjectModel

/// Holds objects and what was done to them since the last save.
///
/// A context lives in one isolation domain and so do its objects; other domains make their own context on the same
/// ``PersistentStoreCoordinator`` and pass `ObjectID`s. One object stands for one ID as long as someone holds it.
///
/// What was changed is kept by ID in the context, not in the objects; so a hundred thousand cascaded deletions need no
/// object at all.
public final class ManagedObjectContext {
  /// The coordinator whose store the objects are in.
  public let persistentStoreCoordinator: PersistentStoreCoordinator

  /// What can be undone.
  public let undoHistory = UndoHistory()

  /// The last error that could not be thrown, such as one while a fault was fired.
  public internal(set) var mostRecentError: (any Error)?

  /// Told of every error that could not be thrown.
  public var onError: ((any Error) -> Void)?

  /// Objects with unsaved changes that another context or process changed too; see ``resolveConflicts(_:of:)``.
  public var conflicts: [ObjectID: ContextConflict] { unsaved.conflicts }

  // Identity.
  var objects: [ObjectID: WeakObject] = [:]
  var classes: [String: ManagedObject.Type] = [:]
  var infos: [String: EntityInfo] = [:]
  var keyShapes: [String: Bool] = [:]

  /// What was read from the store.
  var cache: StoreCache
  /// What was changed and not saved.
  var unsaved = UnsavedChanges()
  /// What happened since changes were last processed.
  var tracking = ChangeTracking()
  /// What undo needs across saves.
  var undoMemory = UndoMemory()

  var observers: [Int: (ContextEvent) -> Void] = [:]
  var nextObserver = 0
  let inbox: Int

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator whose store the objects are in.
  ///   - rowCapacity: About how many rows of objects that nobody holds are remembered.
  public init(coordinator: PersistentStoreCoordinator, rowCapacity: Int = 2_000) {
    persistentStoreCoordinator = coordinator
    cache = StoreCache(rowCapacity: rowCapacity)
    inbox = coordinator.openInbox()
    undoHistory.willChange = { [weak self] in self?.processPendingChanges() }
    undoHistory.didChange = { [weak self] in self?.processPendingChanges() }
    undoHistory.willEnd = { [weak self] in self?.attempt { try self?.followDeleteRules() } }
    undoHistory.didRemoveAll = { [weak self] in
      self?.undoMemory.removeAll { self?.pending[$0] != nil }
    }
  }

  deinit { persistentStoreCoordinator.closeInbox(inbox) }

  /// The entities.
  public var model: ManagedObjectModel { persistentStoreCoordinator.model }

  /// Calls a closure, on any thread, when another context of the coordinator has saved.
  ///
  /// Call ``processPendingChanges()`` then, in this context's own domain; it takes the save in.
  ///
  /// - Parameter wake: The closure; nil for none.
  public func wakeOnForeignSave(_ wake: (@Sendable () -> Void)?) {
    persistentStoreCoordinator.setWake(wake, for: inbox)
  }

  /// Observes the context.
  ///
  /// - Parameter handler: Called in the context's domain, at once. It must not hold the context strongly.
  /// - Returns: The observation; it ends when this is cancelled or let go.
  public func observe(_ handler: @escaping (ContextEvent) -> Void) -> ContextObservation {
    let number = nextObserver
    nextObserver += 1
    observers[number] = handler
    return ContextObservation { [weak self] in self?.observers[number] = nil }
  }

  func tell(_ event: ContextEvent) {
    for number in observers.keys.sorted() { observers[number]?(event) }
  }

  /// Keeps and tells an error that cannot be thrown.
  func report(_ error: any Error) {
    mostRecentError = error
    onError?(error)
  }

  var store: any PersistentStore { persistentStoreCoordinator.store }

  /// Inserted, updated and deleted objects that are not saved.
  var pending: [ObjectID: Pending] { unsaved.pending }
  /// Links that are not saved, at both ends.
  var links: [RelationshipEnd: LinkChange] { unsaved.links }
}

@available(
  *, unavailable,
  message: "A context belongs to one isolation domain. Make another on the same coordinator."
)
extension ManagedObjectContext: Sendable {}

struct WeakObject {
  weak var object: ManagedObject?
}
