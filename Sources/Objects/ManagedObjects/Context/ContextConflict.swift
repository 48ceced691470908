public import ObjectModel

/// An object with unsaved changes that another context or process changed too: Core Data's
/// NSMergeConflict, whose `sourceObject` is the context's object with ``objectID``.
///
/// A property is in conflict if it was changed here and is not as it was read in the store, whatever
/// the two values are: two contexts that have both counted from 10 to 11 have lost a count. Changes
/// of different properties are merged, and so is what both have done by deleting the same object.
public struct ContextConflict: Sendable, Hashable {
  /// How to resolve a conflict.
  package enum Resolution: Sendable, Hashable, CaseIterable {
    /// Keeps the unsaved change; the next save overwrites the other one, and leaves what else was
    /// changed there.
    case keepMine
    /// Keeps the whole object as it is here; the next save overwrites what else was changed too.
    case keepMyObject
    /// Discards the unsaved change.
    case takeTheirs
    /// Discards the unsaved change of the properties that were changed there too.
    case keepTheirProperties
  }

  /// What a property has, here or in the store.
  public enum Content: Sendable, Hashable {
    /// The decoded value of an attribute; a long one may be truncated.
    case value(Value)
    /// The destination of a to-one relationship; nil for none.
    case object(ObjectID?)
    /// The objects of an ordered relationship, in their order.
    case objects([ObjectID])
  }

  /// A property that was changed here, in the store, or both.
  public struct Property: Sendable, Hashable {
    /// The attribute or relationship.
    public var name: String
    /// What it had when the object was read; nil if it was deleted without having been read.
    public var base: Content?
    /// What it has here; nil if the object was deleted here.
    public var mine: Content?
    /// What it has in the store; nil if the object was deleted there.
    public var theirs: Content?
    /// Whether it was changed here.
    public var isMine: Bool
    /// Whether it was changed in the store.
    public var isTheirs: Bool

    /// Whether both sides changed it, so that one must be chosen; other changes are merged.
    public var isConflict: Bool { isMine && isTheirs }

    /// Describes a property.
    package init(
      name: String, base: Content?, mine: Content?, theirs: Content?, isMine: Bool, isTheirs: Bool
    ) {
      self.name = name
      (self.base, self.mine, self.theirs) = (base, mine, theirs)
      (self.isMine, self.isTheirs) = (isMine, isTheirs)
    }
  }

  /// The object.
  public var objectID: ObjectID
  /// The properties that were changed here or in the store, as the model lists them.
  ///
  /// Attributes come first, then relationships, which stand for their foreign keys. If the object
  /// was deleted on one side, they are what was changed on the other.
  public var properties: [Property]
  /// Whether the row was deleted from the store.
  public var isGone: Bool
  /// The object as it is here, with its unsaved changes; nil if it was deleted here.
  ///
  /// Snapshots are the decoded values by name, those of to-one relationships as the URIs of their
  /// objects. Long values may be truncated.
  public var objectSnapshot: [String: Value]?
  /// The object as it was read, before the unsaved changes; nil if it was deleted without having
  /// been read.
  public var cachedSnapshot: [String: Value]?
  /// The object as it is in the store; nil if it was deleted there.
  public var persistedSnapshot: [String: Value]?
  /// The version of the row that was read; nil if it was not read.
  public var oldVersion: UInt64?
  /// The version of the row in the store; nil if it was deleted there.
  public var newVersion: UInt64?
}

extension ContextConflict {
  /// The names of the properties changed here; empty if it was deleted here.
  package var myKeys: Set<String> { Set(properties.lazy.filter(\.isMine).map(\.name)) }

  /// The names of the properties changed in the store; empty if it was deleted there.
  package var theirKeys: Set<String> { Set(properties.lazy.filter(\.isTheirs).map(\.name)) }

  /// Describes the conflict of an unsaved change with the row in the store, nil if that was deleted.
  init(
    of pending: Pending, _ id: ObjectID, _ info: EntityInfo, with stored: RowSnapshot?,
    myKeys: Set<String>, theirKeys: Set<String>
  ) {
    objectID = id
    isGone = stored == nil
    let (mine, base) = (pending.current, pending.base)
    objectSnapshot = mine?.decoded(info.entity)
    cachedSnapshot = base?.decoded(info.entity)
    persistedSnapshot = stored?.decoded(info.entity)
    oldVersion = pending.version
    newVersion = stored?.version
    let shown = info.conflictingNames(myKeys.union(theirKeys))
    func property(_ name: String, _ content: (RowSnapshot) -> Content) -> Property? {
      guard shown.contains(name) else { return nil }
      return Property(
        name: name, base: base.map(content), mine: mine.map(content), theirs: stored.map(content),
        isMine: myKeys.contains(name), isTheirs: theirKeys.contains(name))
    }
    properties = info.entity.attributes.enumerated().compactMap { index, attribute in
      property(attribute.name) { .value(attribute.decode($0.value(at: index))) }
    }
    properties += info.toOne.enumerated().compactMap { index, relationship in
      property(relationship.name) { .object($0.destination(at: index)) }
    }
  }
}

extension ContextConflict {
  /// A conflict of an object whose own row is as it was read.
  init(unchanged row: RowSnapshot?, _ id: ObjectID, in context: ManagedObjectContext) {
    objectID = id
    (isGone, properties) = (false, [])
    objectSnapshot = row?.decoded(context.info(for: id.entityName).entity)
    (cachedSnapshot, persistedSnapshot) = (objectSnapshot, objectSnapshot)
    (oldVersion, newVersion) = (row?.version, row?.version)
  }
}

extension EntityInfo {
  /// Those of some properties that are no foreign key of a relationship among them.
  fileprivate func conflictingNames(_ names: Set<String>) -> Set<String> {
    toOne.reduce(names) { found, relationship in
      names.contains(relationship.name)
        ? found.subtracting(relationship.description.foreignKeyAttributes) : found
    }
  }
}

extension RowSnapshot {
  /// The decoded values of a row by name, with the URIs of to-one relationships.
  func decoded(_ entity: EntityDescription) -> [String: Value] {
    var values: [String: Value] = [:]
    for (index, attribute) in entity.attributes.enumerated() {
      values[attribute.name] = attribute.decode(value(at: index))
    }
    for (index, relationship) in entity.toOneRelationships.enumerated() {
      values[relationship.name] =
        destination(at: index).map { .string($0.uriRepresentation) } ?? .null
    }
    return values
  }
}

/// Objects that a save would leave with the same values of a uniqueness constraint: Core Data's
/// NSConstraintConflict.
public struct ConstraintConflict: Sendable, Hashable {
  /// The names of the attributes whose combined values are unique.
  public var constraint: [String]
  /// The decoded values that the objects have in common, by name.
  public var constraintValues: [String: Value]
  /// The object in the store that has the values; nil if only unsaved objects have them.
  public var databaseObjectID: ObjectID?
  /// The decoded values of that object in the store, by name; nil if there is none.
  ///
  /// See ``ContextConflict/objectSnapshot``.
  public var databaseSnapshot: [String: Value]?
  /// The new and changed objects that have the values, in the order of their IDs.
  public var conflictingObjectIDs: [ObjectID]
  /// The decoded values of those objects, by name.
  public var conflictingSnapshots: [[String: Value]]
}
