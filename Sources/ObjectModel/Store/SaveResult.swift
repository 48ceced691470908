/// The result of writing a ``SaveRequest``.
public struct SaveResult: Hashable, Sendable {
  /// The permanent IDs of inserted objects, by temporary ID.
  public var permanentIDs: [ObjectID: ObjectID]
  /// The rows of inserted and updated objects after the save, and of others that it changed, by
  /// permanent ID.
  ///
  /// They include the effects of triggers and defaults.
  public var snapshots: [ObjectID: RowSnapshot]
  /// The rows of deleted objects before the save, with full values, so that they can be inserted
  /// again.
  public var deletedRows: [RowSnapshot]
  /// Links of many-to-many relationships that were deleted with objects.
  public var deletedLinks: [ObjectLink]

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
