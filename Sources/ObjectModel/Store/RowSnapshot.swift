/// The stored values of one object at one moment.
public struct RowSnapshot: Hashable, Sendable {
  /// The object.
  public var id: ObjectID
  /// Tells one state of the row from another: a counter, or a digest of its values.
  public var version: UInt64
  /// Stored values, in the order of the entity's ``EntityDescription/attributes``.
  public var values: [Value]
  /// The destinations of to-one relationships, in the order of the entity's ``EntityDescription/toOneRelationships``.
  ///
  /// A destination need not exist any more.
  public var toOne: [ObjectID?]
  /// The whole length in bytes of values that are held cut, by place in ``values``.
  ///
  /// A store cuts long text and bytes; `PersistentStore.value(of:for:)` gives the whole.
  public var cutLengths: [Int: Int]
  /// What stands in columns of the row that no property shows, by column: only of a row just deleted, to put it back whole.
  public var otherColumns: [String: Value]

  /// Makes a snapshot.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - version: Its version.
  ///   - values: Its stored values, one an attribute.
  ///   - toOne: Its to-one destinations, one a to-one relationship.
  ///   - cutLengths: The whole lengths of values held cut.
  ///   - otherColumns: What stands in columns that no property shows.
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
