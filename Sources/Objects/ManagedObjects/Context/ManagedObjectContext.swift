public import ObjectModel

/// Manages objects and their unsaved changes, as NSManagedObjectContext does.
///
/// A context and its objects stay in one isolation domain. Other domains create their own context
/// on the same ``PersistentStoreCoordinator`` and pass `ObjectID`s. While an object is referenced,
/// it is the only one of its ID.
///
/// Changes are kept by ID in the context, not in the objects: a hundred thousand cascaded deletions
/// create no objects.
public final class ManagedObjectContext {
  /// The coordinator whose store the objects are in.
  public let persistentStoreCoordinator: PersistentStoreCoordinator

  /// The undo and redo stacks.
  public let undoHistory = UndoHistory()

  /// The last error that could not be thrown, such as one from firing a fault.
  public internal(set) var mostRecentError: (any Error)?
  private var reportCount = 0

  /// Is called with every error that could not be thrown.
  public var onError: ((any Error) -> Void)?

  /// What ``save()`` does about ``conflicts``; by default it throws.
  public var mergePolicy = MergePolicy.error

  /// Objects with unsaved changes that another context or process changed too; see
  /// ``resolveConflict(of:keeping:)``.
  public var conflicts: [ObjectID: ContextConflict] { withOrderConflicts(unsaved.conflicts) }

  // Identity and lookup tables.
  let objects: ObjectTable
  /// The permanent IDs of objects that were never saved.
  var reserved: Set<ObjectID> = []
  var classes: [String: ManagedObject.Type] = [:]
  private var entities: [String: ContextEntity] = [:]
  private var lastEntity: ContextEntity?
  /// An object of the entity that an instance was made of last.
  private var lastInstance: (id: ObjectID, entity: ContextEntity)?
  /// Whether any to-many relationship of the model has a least or greatest number of objects.
  lazy var modelCountsObjects = model.entities.contains { !info(for: $0.name).counted.isEmpty }
  var keyShapes: [String: Bool] = [:]

  /// What was read from the store.
  let cache: StoreCache
  /// What was changed and not saved.
  var unsaved = UnsavedChanges()
  /// What happened since changes were last processed.
  var tracking = ChangeTracking()
  /// What setters that cannot throw could not set.
  var refused = RefusedAssignments()
  /// The objects that were inserted last, one after the other.
  var insertedRun: InsertedRun?
  /// What undo needs across saves.
  var undoMemory = UndoMemory()
  /// Whether objects whose deletion was saved may be in the store again: it was refreshed since.
  var deletedMayExist = false

  var observers: [Int: (ContextEvent) -> Void] = [:]
  var nextObserver = 0
  /// How often observers had to be notified of something that has happened.
  private(set) var notificationCount = 0
  let inbox: Int
  let reference = ContextReference()

  /// Runs closures one after the other.
  package let queue = ContextQueue()

  /// Creates a context, in which objects have the classes of the coordinator.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator whose store the objects are in.
  ///   - rowCapacity: The approximate number of cached rows whose objects are not referenced.
  public convenience init(coordinator: PersistentStoreCoordinator, rowCapacity: Int = 2_000) {
    self.init(withoutClasses: coordinator, rowCapacity: rowCapacity)
    register(coordinator.entityClasses)
  }

  /// Creates a context that calls no hook of a class: nobody sees its objects.
  init(withoutClasses coordinator: PersistentStoreCoordinator, rowCapacity: Int = 2_000) {
    persistentStoreCoordinator = coordinator
    objects = ObjectTable(rowCapacity: rowCapacity)
    cache = StoreCache(objects)
    inbox = coordinator.openInbox()
    reference.unretained = Unretained(self)
    undoHistory.willChange = { [reference] in reference.context?.processWithoutResult() }
    undoHistory.didChange = { [reference] in
      // What could not be set belongs to the changes that are undone.
      reference.context?.refused.removeAll()
      reference.context?.processWithoutResult()
    }
    undoHistory.willEnd = { [reference] in
      guard let context = reference.context else { return }
      context.attempt { try context.followDeleteRules() }
    }
    undoHistory.didRemoveAll = { [reference] in
      guard let context = reference.context else { return }
      let forgotten = context.undoMemory.removeAll(exceptRows: context.pending.contains)
      if !context.deletedMayExist { forgotten.forEach(context.cache.setMissing) }
    }
  }

  deinit {
    giveUp(unsaved.pending.ids)
    reference.unretained = Unretained()
    persistentStoreCoordinator.closeInbox(inbox)
  }

  /// The model of the store.
  public var model: ManagedObjectModel { persistentStoreCoordinator.model }

  /// Calls a closure, on any thread, when another context of the coordinator has saved.
  ///
  /// Then call ``processPendingChanges()`` in the context's isolation domain, which merges the
  /// save.
  ///
  /// - Parameter wake: The closure; nil removes it.
  package func wakeOnForeignSave(_ wake: (@Sendable () -> Void)?) {
    persistentStoreCoordinator.setWake(wake, for: inbox)
  }

  /// Whether rows that are read now may have changes of other contexts that are not merged yet.
  package var hasUnmergedSaves: Bool { persistentStoreCoordinator.hasSaves(for: inbox) }

  /// Observes the context.
  ///
  /// - Parameter handler: Called synchronously in the context's isolation domain. It must not
  ///   retain the context.
  /// - Returns: The observation; it ends when it is cancelled or deallocated.
  public func observe(_ handler: @escaping (ContextEvent) -> Void) -> ContextObservation {
    let number = nextObserver
    nextObserver += 1
    observers[number] = handler
    return ContextObservation { [reference] in reference.context?.observers[number] = nil }
  }

  func notify(_ event: ContextEvent) {
    if case .willSave = event {} else { notificationCount += 1 }
    for number in observers.keys.sorted() { observers[number]?(event) }
  }

  /// Reports an error that cannot be thrown.
  package func report(_ error: any Error) {
    mostRecentError = error
    reportCount += 1
    onError?(error)
  }

  /// Runs something that reads objects, and throws what they could only report: without a row or a
  /// destination that could not be read, its result is wrong.
  ///
  /// - Throws: What was reported last; what the body throws.
  package func throwingReports<Result>(_ body: () throws -> Result) throws -> Result {
    let before = reportCount
    let result = try body()
    if reportCount > before, let mostRecentError { throw mostRecentError }
    return result
  }

  func contextEntity(named name: String) -> ContextEntity {
    // Most calls in a row are for one entity.
    if let lastEntity, lastEntity.info.entity.name == name { return lastEntity }
    if let entity = entities[name] {
      lastEntity = entity
      return entity
    }
    // An ID may have an entity that is not in the model; its objects have no attributes and no row.
    let description =
      model.entity(named: name) ?? EntityDescription(name: name, attributes: [])
    let entity = ContextEntity(EntityInfo(description, in: model), of: self)
    entities[name] = entity
    return entity
  }

  /// The entity of an object that an instance is made of.
  func contextEntity(of id: ObjectID) -> ContextEntity {
    // Scopes are compared, because that costs less than names.
    if let lastInstance, lastInstance.id.hasScope(of: id) { return lastInstance.entity }
    let entity = contextEntity(named: id.entityName)
    lastInstance = (id, entity)
    return entity
  }

  func info(for entityName: String) -> EntityInfo { contextEntity(named: entityName).info }

  var store: any PersistentStore { persistentStoreCoordinator.store }

  /// Inserted, updated and deleted objects that are not saved.
  var pending: PendingChanges { unsaved.pending }
  /// Whether the row of an object has an unsaved change.
  func isPending(_ id: ObjectID) -> Bool { unsaved.pending.contains(id) }
  /// Links that are not saved, at both ends.
  var links: [RelationshipEnd: LinkChange] { unsaved.links }
}

@available(
  *, unavailable,
  message: "A context belongs to one isolation domain. Make another on the same coordinator."
)
extension ManagedObjectContext: Sendable {}

/// Leads to a context until that is deallocated.
///
/// Closures that a context keeps itself capture this, and so do its entities.
final class ContextReference {
  /// The context's `deinit` clears this.
  fileprivate(set) var unretained = Unretained<ManagedObjectContext>()
  /// The context; nil once it is deallocated.
  var context: ManagedObjectContext? { unretained.object }
}
