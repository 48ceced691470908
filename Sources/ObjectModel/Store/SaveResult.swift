/// What a store answers to a ``SaveRequest`` that was written.
public struct SaveResult: Hashable, Sendable {
  /// The permanent IDs of inserted objects, by their temporary ones.
  public var permanentIDs: [ObjectID: ObjectID]
  /// Inserted and updated objects as they now stand, and others that the save changed with them, by permanent ID.
  ///
  /// What triggers and defaults did is in them.
  public var snapshots: [ObjectID: RowSnapshot]
  /// Deleted objects as they stood when they were taken out, whole values, so that they can be put back.
  public var deletedRows: [RowSnapshot]
  /// Links of many-to-many relationships that went with deleted objects.
  public var deletedLinks: [ObjectLink]

  /// Makes a result.
  ///
  /// - Parameters:
  ///   - permanentIDs: Permanent IDs by temporary ones.
  ///   - snapshots: Inserted and updated objects as they now stand.
  ///   - deletedRows: Deleted objects as they stood.
  ///   - deletedLinks: Links that went with them.
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
