public import ObjectModel

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
