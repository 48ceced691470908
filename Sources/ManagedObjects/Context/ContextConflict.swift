public import ObjectModel

/// An object with unsaved changes that another context or process changed too: Core Data's
/// NSMergeConflict, whose `sourceObject` is the context's object with ``objectID``.
public struct ContextConflict: Sendable, Hashable {
  /// How to resolve a conflict.
  public enum Resolution: Sendable, Hashable, CaseIterable {
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

  /// The object.
  public var objectID: ObjectID
  /// The names of the properties changed here; empty if it was deleted here.
  public var myKeys: Set<String>
  /// The names of the properties changed in the store; empty if it was deleted there.
  public var theirKeys: Set<String>
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
  /// Describes the conflict of an unsaved change with the row in the store, nil if that was deleted.
  init(
    of pending: Pending, _ id: ObjectID, _ entity: EntityDescription, with stored: RowSnapshot?,
    myKeys: Set<String>, theirKeys: Set<String>
  ) {
    objectID = id
    self.myKeys = myKeys
    self.theirKeys = theirKeys
    isGone = stored == nil
    objectSnapshot = pending.current?.decoded(entity)
    cachedSnapshot = pending.base?.decoded(entity)
    persistedSnapshot = stored?.decoded(entity)
    oldVersion = pending.version
    newVersion = stored?.version
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
