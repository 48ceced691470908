/// The stored values of one object at one moment: its row.
public struct RowSnapshot: Hashable, Sendable {
  /// The object.
  public var id: ObjectID
  /// Changes whenever the row changes: a counter, or a digest of its values; 0 where no row ever does.
  ///
  /// A save is refused as a conflict if the row has another version than the one that was changed.
  public var version: UInt64
  /// Stored values, in the order of the entity's ``EntityDescription/attributes``.
  public var values: RowValues
  /// The destinations of to-one relationships, in the order of the entity's
  /// `EntityDescription.toOneRelationships`.
  ///
  /// A destination may no longer exist.
  public var toOne: [ObjectID?]
  /// What only rows with long values and deleted rows have; nil for the others, so that copying a row
  /// is cheap.
  package private(set) var exceptions: Exceptions?

  /// Creates a snapshot.
  package init(
    id: ObjectID, version: UInt64, values: RowValues, toOne: [ObjectID?] = [],
    cutLengths: [Int: Int] = [:], otherColumns: [String: Value] = [:]
  ) {
    self.id = id
    self.version = version
    self.values = values
    self.toOne = toOne
    if !cutLengths.isEmpty { self.cutLengths = cutLengths }
    if !otherColumns.isEmpty { self.otherColumns = otherColumns }
  }

  /// Creates the snapshot of a row that was read, at no more cost than that of its parts; without
  /// exceptions no value is truncated.
  package init(
    read id: ObjectID, version: UInt64, values: RowValues, toOne: [ObjectID?],
    exceptions: Exceptions? = nil
  ) {
    (self.id, self.version, self.values, self.toOne) = (id, version, values, toOne)
    self.exceptions = exceptions
  }

  /// Creates a snapshot from an array of values.
  public init(id: ObjectID, version: UInt64, values: [Value], toOne: [ObjectID?] = []) {
    self.init(id: id, version: version, values: RowValues(values), toOne: toOne)
  }
}

extension RowSnapshot {
  /// The stored value at an index; null if the store returned fewer values than the entity has
  /// attributes.
  package func value(at index: Int) -> Value {
    index < values.count ? values[index] : .null
  }

  /// Whether ``value(at:)`` is null, which costs less than the value.
  package func isNull(at index: Int) -> Bool {
    index >= values.count || values.isNull(at: index)
  }

  /// The destination of the to-one relationship at an index; nil also if the store returned fewer.
  package func destination(at index: Int) -> ObjectID? {
    index < toOne.count ? toOne[index] : nil
  }

  /// The full length in bytes of values that are truncated, by index in ``values``.
  ///
  /// A store truncates long text and bytes; `PersistentStore.value(of:for:)` reads the full value.
  package var cutLengths: [Int: Int] {
    get { exceptions?.cutLengths ?? [:] }
    set { change { $0.cutLengths = newValue } }
  }

  /// The hashes of long values, by index in ``values``, by which a change after the beginning is
  /// seen; also of those that have been completed since.
  package var longHashes: [Int: UInt64] {
    get { exceptions?.longHashes ?? [:] }
    set { change { $0.longHashes = newValue } }
  }

  /// The values of columns that belong to no property, by column: only for a deleted row, so that
  /// undo restores it fully.
  package var otherColumns: [String: Value] {
    get { exceptions?.otherColumns ?? [:] }
    set { change { $0.otherColumns = newValue } }
  }

  /// The indexes in ``values`` of a new row that were not set and get the store's default:
  /// ``AttributeDetails/defaultExpression``.
  ///
  /// They are null until the row is saved; a null that was set is written.
  package var unset: Set<Int> {
    get { exceptions?.unset ?? [] }
    set { change { $0.unset = newValue } }
  }

  /// Sets a value of a new row, and returns whether that changed anything; nil if values may be
  /// truncated, and nothing is set.
  package mutating func update(_ index: Int, to value: Value) -> Bool? {
    guard let exceptions else { return values.update(index, to: value) }
    guard exceptions.hasOnlyUnset else { return nil }
    var unset = unset
    let wasUnset = unset.remove(index) != nil
    if wasUnset { self.unset = unset }
    return values.update(index, to: value) || wasUnset
  }

  /// Whether no value is truncated.
  package var isWhole: Bool { exceptions?.cutLengths.isEmpty ?? true }

  private mutating func change(_ body: (inout Exceptions.Contents) -> Void) {
    var contents = exceptions?.contents ?? Exceptions.Contents()
    body(&contents)
    exceptions = contents == Exceptions.Contents() ? nil : Exceptions(contents)
  }

  /// The lengths and hashes of long values, the values of columns that belong to no property, and
  /// what nobody has set.
  package final class Exceptions: Hashable, Sendable {
    fileprivate struct Contents: Hashable, Sendable {
      var cutLengths: [Int: Int] = [:]
      var longHashes: [Int: UInt64] = [:]
      var otherColumns: [String: Value] = [:]
      var unset: Set<Int> = []
    }

    fileprivate let contents: Contents

    fileprivate init(_ contents: Contents) { self.contents = contents }

    fileprivate var cutLengths: [Int: Int] { contents.cutLengths }
    fileprivate var longHashes: [Int: UInt64] { contents.longHashes }
    fileprivate var otherColumns: [String: Value] { contents.otherColumns }
    fileprivate var unset: Set<Int> { contents.unset }
    fileprivate var hasOnlyUnset: Bool {
      cutLengths.isEmpty && longHashes.isEmpty && otherColumns.isEmpty
    }

    package static func == (lhs: Exceptions, rhs: Exceptions) -> Bool {
      lhs.contents == rhs.contents
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(contents) }
  }
}
