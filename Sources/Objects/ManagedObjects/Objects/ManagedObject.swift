public import ObjectModel

/// An object of a context: a handle for the row of one ID.
///
/// It is small: values stay in the context, and are read from the store when they are first used.
/// Subclass it to give attributes properties of their own:
///
///     final class Person: ManagedObject, EntityClass {
///       static let entityName = "Person"
///       static let name = AttributeKey<Person, String>("name")
///       var name: String {
///         get { self[Person.name] }
///         set { self[Person.name] = newValue }
///       }
///     }
open class ManagedObject {
  /// The object's ID; temporary until the first save.
  public var objectID: ObjectID { record.id }

  /// The context; nil once it is deallocated.
  public var managedObjectContext: ManagedObjectContext? { contextEntity.context }

  /// What its context knows of it.
  ///
  /// It is only replaced as a whole. Checking that for each value that is read makes firing faults a
  /// tenth slower: see ``ObjectRecord``.
  @exclusivity(unchecked) var record: ObjectRecord
  let contextEntity: ContextEntity
  /// The objects that were fetched with this one, and its index among them: their rows are read
  /// together.
  var batch: FaultBatch?
  var batchIndex: UInt32 = 0
  /// When it was inserted.
  var insertion = InsertionMoment.never
  /// Whether ``awakeFromFetch()`` is to be called when its row is next used.
  var needsAwaking = false

  var info: EntityInfo { contextEntity.info }

  /// Creates an object.
  ///
  /// Only its context calls this.
  ///
  /// - Parameters:
  ///   - objectID: The ID.
  ///   - context: The context.
  public required init(objectID: ObjectID, context: ManagedObjectContext) {
    contextEntity = context.contextEntity(of: objectID)
    record = context.objects.record(for: objectID)
    record.add(self)
  }

  deinit { contextEntity.release(self, of: record) }

  /// Called once after the object was inserted with its default values.
  open func awakeFromInsert() {}

  /// Called when the object's row is first used after it was a fault, before the value is returned
  /// or changed: the moment to compute what is kept in properties of the class.
  ///
  /// The class must be registered. It is called again once the object was turned into a fault, and
  /// not for an object that was inserted in this context. What it sets is an unsaved change.
  open func awakeFromFetch() {}

  /// Called before the object is turned into a fault by a refresh, a reset of its context or
  /// `trim(keeping:)`: its values can still be read.
  ///
  /// The class must be registered. It is not called for an object that was never read, nor when
  /// the object is released: `deinit` is.
  open func willTurnIntoFault() {}

  /// Called after the object was turned into a fault, to discard what ``awakeFromFetch()`` has
  /// computed; reading a value here fires the fault.
  ///
  /// The class must be registered.
  open func didTurnIntoFault() {}

  /// Called at the start of a save for an object with unsaved changes, one to be deleted included;
  /// changes made here are saved too.
  ///
  /// What is set in an object to be deleted is ignored. The class must be registered. All objects with changes are called again until none of them
  /// changes anything: set a value only if it differs. After 100 rounds the save fails.
  open func willSave() {}

  /// Called once when the object is about to be deleted, directly or by a delete rule.
  ///
  /// The class must be registered. An object that a rule deletes is called when changes are
  /// processed.
  open func prepareForDeletion() {}

  /// Validates a value of an attribute, in addition to the rules of the model.
  ///
  ///     override func validate(_ value: Value, forKey key: String) throws {
  ///       if key == Person.age.name, value == 0 { throw NotBornYet() }
  ///     }
  ///
  /// The class must be registered. A save calls it for each attribute of a new object, and for those
  /// of others that have changed; ``validateValue(_:forKey:)-(Value,_)`` calls it for a value that is
  /// not set.
  /// Relationships are validated with the whole object.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - key: The attribute.
  /// - Throws: Any error. A save throws it as it is if it is the only problem; otherwise it is one of
  ///   the problems of a ``ManagedObjectError``, with this key.
  open func validate(_ value: Value, forKey key: String) throws {}

  /// Validates a new object before it is saved, in addition to the rules of its entity.
  ///
  /// The class must be registered.
  ///
  /// - Throws: Any error, which makes the save fail. If there are other problems too, the save
  ///   throws one ``ManagedObjectError`` with all of them.
  open func validateForInsert() throws {}

  /// Validates changes of the object before they are saved, in addition to the rules of its entity.
  ///
  /// The class must be registered.
  ///
  /// - Throws: As ``validateForInsert()``.
  open func validateForUpdate() throws {}

  /// Validates that the object may be deleted, before that is saved, in addition to the delete rules;
  /// its values are those that it had.
  ///
  /// The class must be registered.
  ///
  /// - Throws: As ``validateForInsert()``.
  open func validateForDelete() throws {}

  /// Called once after a save for each object that it inserted, updated or deleted, before observers
  /// of the context are notified; what it changes is not saved.
  ///
  /// The class must be registered. ``objectID`` is permanent.
  open func didSave() {}
}

@available(
  *, unavailable,
  message: "A managed object belongs to its context. Send its objectID instead."
)
extension ManagedObject: Sendable {}

extension ManagedObject {
  /// The object's entity.
  public var entity: EntityDescription { info.entity }

  /// Whether its row has not been read.
  public var isFault: Bool {
    guard let context = managedObjectContext else { return true }
    return !record.hasRow && context.pending[objectID]?.current == nil
  }

  /// Whether the object is new and not saved.
  public var isInserted: Bool { managedObjectContext?.pending[objectID]?.isInserted ?? false }

  /// Whether it is not new and has unsaved changes of attributes or relationships.
  public var isUpdated: Bool {
    guard let context = managedObjectContext else { return false }
    return context.pending[objectID].map(\.isUpdated)
      ?? !context.changedKeys(of: objectID).isEmpty
  }

  /// Whether it is deleted and the deletion is not saved; of an object that was never saved, until
  /// changes are processed.
  public var isDeleted: Bool {
    guard let context = managedObjectContext else { return false }
    if let pending = context.pending[objectID] { return pending.isDeleted }
    return context.tracking.removedRow(of: objectID) != nil
  }

  /// Whether it has unsaved changes of any kind.
  public var hasChanges: Bool {
    (managedObjectContext?.pending.contains(objectID) ?? false) || isUpdated
  }

  /// Whether it exists: false if its row is not in the store any more, or its context is
  /// deallocated.
  ///
  /// Reads the row if it has not been read.
  package var isAccessible: Bool { managedObjectContext?.readableRow(of: objectID) != nil }

  /// A name to show for it; never empty.
  public var displayName: String {
    managedObjectContext?.displayName(of: objectID) ?? objectID.entityName
  }
}

extension ManagedObject: Hashable {
  /// Whether both are the same instance.
  public static func == (lhs: ManagedObject, rhs: ManagedObject) -> Bool { lhs === rhs }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
