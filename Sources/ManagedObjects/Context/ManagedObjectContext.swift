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

  /// Objects changed here, unsaved, and by someone else in the store; see ``resolveConflicts(_:of:)``.
  public internal(set) var conflicts: [ObjectID: ContextConflict] = [:]

  // Identity.
  var objects: [ObjectID: WeakObject] = [:]
  /// Objects with unsaved changes, which must not be lost while nobody else holds them.
  var retained: [ObjectID: ManagedObject] = [:]
  var classes: [String: ManagedObject.Type] = [:]
  var infos: [String: EntityInfo] = [:]
  var keyShapes: [String: Bool] = [:]

  // What the store has.
  var rows: RowCache
  /// Objects whose row was looked for and not found.
  var missing: Set<ObjectID> = []
  var destinationCache: [RelationshipEnd: [ObjectID]] = [:]

  // What was changed.
  var pending: [ObjectID: Pending] = [:]
  /// The pending rows that lead to an object, by the relationship back from it.
  var incoming: [RelationshipEnd: Set<ObjectID>] = [:]
  var links: [RelationshipEnd: LinkChange] = [:]
  var orders: [RelationshipEnd: [ObjectID]] = [:]
  var counts = PendingCounts()

  // What was changed since changes were last processed.
  var touches: [ObjectID: Touch] = [:]
  var pendingDeletes: [ObjectID] = []
  /// Unsaved rows of deleted objects, until their delete rules were followed.
  var removedRows: [ObjectID: RowSnapshot] = [:]
  /// The relationship that each cascaded deletion came from.
  var cascadeOrigins: [ObjectID: String] = [:]

  // What undoing needs across saves.
  var aliases: [ObjectID: ObjectID] = [:]
  var tombstones: [ObjectID: RowSnapshot] = [:]
  var linkTombstones: [ObjectID: [ObjectLink]] = [:]

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
    rows = RowCache(capacity: rowCapacity)
    inbox = coordinator.openInbox()
    undoHistory.willChange = { [weak self] in self?.processPendingChanges() }
    undoHistory.didChange = { [weak self] in self?.processPendingChanges() }
    undoHistory.didRemoveAll = { [weak self] in self?.forgetUndone() }
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

  private func forgetUndone() {
    tombstones = tombstones.filter { pending[$0.key] != nil }
    linkTombstones = [:]
    aliases = [:]
  }
}

@available(
  *, unavailable,
  message: "A context belongs to one isolation domain. Make another on the same coordinator."
)
extension ManagedObjectContext: Sendable {}

struct WeakObject {
  weak var object: ManagedObject?
}

/// Unsaved links of one end of a relationship.
struct LinkChange {
  var added: [ObjectID] = []
  var removed: Set<ObjectID> = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}

/// What happened to an object since changes were last processed.
struct Touch {
  let existed: Bool
  var keys: Set<String> = []
}

struct PendingCounts {
  var inserted = 0
  var updated = 0
  var deleted = 0

  mutating func add(_ pending: Pending?, _ count: Int) {
    switch pending {
    case .inserted: inserted += count
    case .updated: updated += count
    case .deleted: deleted += count
    case nil: break
    }
  }
}
