import ObjectModel
import Synchronization

extension ManagedObjectContext {
  /// The last key of an unsaved object, unique in this process.
  private static let lastTemporaryKey = Atomic<UInt64>(0)

  /// Inserts a new object with its entity's default values.
  ///
  /// - Parameter entityName: The entity.
  /// - Returns: The object; its ID is temporary until it is saved.
  /// - Throws: ``ManagedObjectError`` if there is no such entity, or it is abstract or read-only.
  public func insert(entityName: String) throws -> ManagedObject {
    try checkStoreWritable(entityName, doing: "inserting an object")
    return try insertUnsaved(entityName: entityName)
  }

  /// Inserts a new object also if the store is read-only: its save is refused, as in Core Data.
  package func insertUnsaved(entityName: String) throws -> ManagedObject {
    let row = try newRow(of: insertable(entityName, doing: "inserting an object"))
    let object = newInstance(of: row.id)
    insertRow(row)
    object.insertion = InsertionMoment(in: self)
    object.needsAwaking = false
    undoHistory.suggest(
      ActionSuggestion(verb: .insert, entityName: entityName, name: entityName))
    object.awakeFromInsert()
    return object
  }

  /// An entity, of which new objects can be made.
  ///
  /// - Throws: ``ManagedObjectError`` if there is no such entity, or it is abstract or read-only.
  func insertable(_ entityName: String, doing: String) throws -> EntityInfo {
    let info = info(for: entityName)
    guard info.isInModel else {
      throw ManagedObjectError(unknownEntity: entityName, among: model, doing: doing)
    }
    try checkWritable(info, doing: doing)
    guard !info.isAbstract else {
      throw ManagedObjectError(
        .readOnly, doing: doing, subject: entityName,
        detail: "an abstract entity has no objects of its own")
    }
    return info
  }

  /// A row with the default values of an entity and a temporary ID.
  func newRow(of info: EntityInfo) throws -> RowSnapshot {
    let key = Self.lastTemporaryKey.wrappingAdd(1, ordering: .relaxed).newValue
    var row = RowSnapshot(
      id: ObjectID(info.temporaryScope, key: .temporary(key)), version: 0,
      values: try info.defaultValues(), toOne: Array(repeating: nil, count: info.toOne.count))
    if !info.storeDefaults.isEmpty { row.unset = info.storeDefaults }
    return row
  }

  /// Throws if the store, or the entity of one of some objects, is read-only.
  func checkWritable(_ ids: [ObjectID]) throws {
    for (entityName, _) in DeletionPlanner.byEntity(ids) {
      try checkStoreWritable(entityName, doing: "deleting")
      try checkWritable(info(for: entityName), doing: "deleting")
    }
  }

  /// Throws if an entity is read-only.
  func checkWritable(_ info: EntityInfo, doing: @autoclosure () -> String) throws {
    guard let reason = info.readOnlyReason else { return }
    throw ManagedObjectError(.readOnly, doing: doing(), subject: info.entity.name, detail: reason)
  }

  /// Throws if the store is read-only and has the entity: what can throw does so at once, and need
  /// not wait for the save.
  func checkStoreWritable(_ entityName: String, doing: @autoclosure () -> String) throws {
    guard let reason = persistentStoreCoordinator.readOnlyReason, info(for: entityName).isInModel
    else { return }
    throw ManagedObjectError(.readOnly, doing: doing(), subject: entityName, detail: reason)
  }

  /// Sets an attribute of a new object at little cost: most values are set right after an insertion.
  ///
  /// It needs no step of its own to be undone, since undoing the group takes back the object, and it
  /// is not reported, since the insertion will be.
  ///
  /// - Returns: Whether it was set; false leaves all other cases, and errors, to
  ///   ``setAttribute(_:to:of:)``.
  func setNew(_ index: Int, to value: Value, of object: ManagedObject) -> Bool {
    let info = object.info
    guard object.insertion != .never, object.insertion == InsertionMoment(in: self),
      info.derived.isEmpty
    else { return false }
    if info.takesText[index], case .string = value {
      return unsaved.setInserted(index, of: object.objectID, to: value)
    }
    guard info.references[index] == nil,
      let old = unsaved.pending.newValue(at: index, of: object.objectID)
    else { return false }
    // This copies the description.
    let attribute = info.entity.attributes[index]
    guard !attribute.isReadOnly, let stored = try? attribute.encode(value, like: old) else {
      return false
    }
    return unsaved.setInserted(index, of: object.objectID, to: stored)
  }
}

/// The moment of an insertion: it is over once changes are processed, or another undo group begins.
///
/// Each object has one, so it is small: its numbers are the last 32 bits of those that they count.
struct InsertionMoment: Equatable {
  /// No moment: the object was fetched, or nothing was recorded for undo.
  static let never = InsertionMoment(group: 0, round: 0)

  private let group: UInt32
  private let round: UInt32

  private init(group: UInt32, round: UInt32) { (self.group, self.round) = (group, round) }

  /// The present moment.
  init(in context: ManagedObjectContext) {
    guard let group = context.undoHistory.openGroup else {
      self = .never
      return
    }
    self.group = UInt32(truncatingIfNeeded: group)
    round = UInt32(truncatingIfNeeded: context.tracking.round)
  }
}
