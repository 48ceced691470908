/// The result of writing a ``SaveRequest``.
public struct SaveResult: Hashable, Sendable {
  /// The permanent IDs of inserted objects, by temporary ID.
  public var permanentIDs: [ObjectID: ObjectID]
  /// The rows of inserted and updated objects after the save, and of others that it changed, by
  /// permanent ID.
  ///
  /// They include the effects of triggers and defaults. `SaveRequest.returnedRows` says which
  /// rows may be omitted.
  public var snapshots: [ObjectID: RowSnapshot]
  /// The names of the attributes and relationships that changed in objects that the request does
  /// not name, by object, where the store knows them; an object without an entry may have changed
  /// in any property.
  package var changedKeys: [ObjectID: Set<String>] = [:]
  /// The rows of deleted objects before the save, with full values, so that they can be inserted
  /// again; those of the request only if it wants them, see ``SaveRequest/returnsDeletedRows``.
  package var deletedRows: [RowSnapshot]
  /// Links of many-to-many relationships that were deleted with objects.
  package var deletedLinks: [ObjectLink]
  /// What triggers did in addition to the request; objects that they deleted are among
  /// ``deletedRows``.
  package var triggerEffects = TriggerEffects()
  /// Links that were replaced, because an object has one owner in a to-many relationship without an
  /// inverse.
  package var replacedLinks: [ObjectLink] = []
  /// The to-one relationships of deleted objects whose destination did not exist.
  package var missingDestinations: [ObjectID: Set<String>] = [:]

  /// Creates a result.
  public init(
    permanentIDs: [ObjectID: ObjectID] = [:], snapshots: [ObjectID: RowSnapshot] = [:],
    deletedRows: [RowSnapshot] = [], deletedLinks: [ObjectLink] = []
  ) {
    self.permanentIDs = permanentIDs
    self.snapshots = snapshots
    self.deletedRows = deletedRows
    self.deletedLinks = deletedLinks
  }
}

/// What a save would do, found by running it and taking it back.
public struct SaveRehearsal: Hashable, Sendable {
  /// The statements with their values, one a line; empty for a store without statements.
  package var statements: [String] = []
  /// What triggers would do in addition to the request.
  package var triggerEffects = TriggerEffects()
  /// The number of external files that no object would use any more.
  package var unusedFileCount = 0

  /// Creates an empty rehearsal.
  package init() {}
}
