/// The stored values of one object at one moment: its row.
public struct RowSnapshot: Hashable, Sendable {
  /// The object.
  public var id: ObjectID
  /// Changes whenever the row changes: a counter, or a digest of its values.
  public var version: UInt64
  /// Stored values, in the order of the entity's ``EntityDescription/attributes``.
  public var values: [Value]
  /// The destinations of to-one relationships, in the order of the entity's
  /// ``EntityDescription/toOneRelationships``.
  ///
  /// A destination may no longer exist.
  public var toOne: [ObjectID?]
  /// The full length in bytes of values that are truncated, by index in ``values``.
  ///
  /// A store truncates long text and bytes; `PersistentStore.value(of:for:)` reads the full value.
  public var cutLengths: [Int: Int]
  /// The hashes of long values, by index in ``values``, by which a change after the beginning is
  /// seen; also of those that have been completed since.
  package var longHashes: [Int: UInt64] = [:]
  /// The values of columns that belong to no property, by column: only for a deleted row, so that
  /// undo restores it fully.
  public var otherColumns: [String: Value]

  /// Creates a snapshot.
  public init(
    id: ObjectID, version: UInt64, values: [Value], toOne: [ObjectID?] = [],
    cutLengths: [Int: Int] = [:], otherColumns: [String: Value] = [:]
  ) {
    self.id = id
    self.version = version
    self.values = values
    self.toOne = toOne
    self.cutLengths = cutLengths
    self.otherColumns = otherColumns
  }
}
