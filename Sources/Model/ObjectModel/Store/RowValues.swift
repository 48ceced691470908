/// The stored values of a row, in the order of its entity's attributes.
///
/// A row that was read is packed: one allocation holds all values as the database returned them, and
/// a value is decoded when it is asked for. Most rows of a large store are read, cached and dropped
/// without that. Values that are set stand beside the packed ones, as long as they are few.
public struct RowValues: Sendable {
  private enum Storage: Sendable {
    case packed(PackedValues)
    /// A row that was read, and of which values were set since.
    case changed(ChangedRow)
    case unpacked([Value])
  }

  private final class ChangedRow: Sendable {
    let packed: PackedValues
    /// The values that were set, of each index one.
    let changes: [Change]

    init(_ packed: PackedValues, _ changes: [Change]) {
      (self.packed, self.changes) = (packed, changes)
    }

    /// The value that was set at an index; nil if none was.
    func changed(_ index: Int) -> Value? { changes.first { $0.index == index }?.value }
  }

  private struct Change: Sendable {
    let index: Int
    let value: Value
  }

  private var storage: Storage
  /// How many values stand beside packed ones.
  private static let changeLimit = 8

  /// Creates the values of a row.
  ///
  /// - Parameter values: The stored values.
  public init(_ values: [Value] = []) { storage = .unpacked(values) }

  /// Takes over values that were read.
  package init(_ packed: PackedValues) { storage = .packed(packed) }

  /// The values as they were read; nil if they were made or changed since.
  package var packed: PackedValues? {
    if case .packed(let packed) = storage { packed } else { nil }
  }

  /// Sets a value, and returns whether it was another.
  package mutating func update(_ position: Int, to value: Value) -> Bool {
    if self[position] == value { return false }
    self[position] = value
    return true
  }

  /// Whether a condition holds for all values as they are stored, with their indexes.
  ///
  /// False if a value is of a kind that is not stored (a date, a URL). Packed values are not
  /// decoded.
  package func allFieldsSatisfy(_ condition: (Int, StoredField) -> Bool) -> Bool {
    if case .packed(let packed) = storage {
      return packed.withFields { fields in
        for index in 0..<fields.count where !condition(index, fields[index]) { return false }
        return true
      }
    }
    return indices.allSatisfy { index in
      self[index].withStoredField { condition(index, $0) } ?? false
    }
  }

  /// The values as they are kept if they are an array, which costs less than each of them; nil if
  /// they were read.
  package var unpacked: [Value]? {
    if case .unpacked(let values) = storage { values } else { nil }
  }

  /// Whether both rows were read with the same values, which costs less than comparing each; false
  /// if one of them was made or changed since.
  package func hasSameBytes(as other: RowValues) -> Bool {
    if case (.packed(let left), .packed(let right)) = (storage, other.storage) {
      left == right
    } else {
      false
    }
  }

  /// Whether a value is null, which costs less than the value.
  package func isNull(at index: Int) -> Bool {
    switch storage {
    case .packed(let packed): packed.isNull(at: index)
    case .changed(let row): row.changed(index)?.isNull ?? row.packed.isNull(at: index)
    case .unpacked(let values): values[index].isNull
    }
  }

  /// Where the value at an index is.
  private func content(at index: Int) -> Content {
    switch storage {
    case .packed(let packed): .packed(packed)
    case .changed(let row): row.changed(index).map(Content.value) ?? .packed(row.packed)
    case .unpacked(let values): .value(values[index])
    }
  }

  private enum Content {
    case packed(PackedValues)
    case value(Value)
  }

  /// The values that were read, and those that were set since; nil if the row was made.
  private var parts: (packed: PackedValues, changes: [Change])? {
    switch storage {
    case .packed(let packed): (packed, [])
    case .changed(let row): (row.packed, row.changes)
    case .unpacked: nil
    }
  }

  /// The indexes of the values that differ from those of another row, or that it does not have.
  ///
  /// - Complexity: O(1) in the number of values if one was made by setting values of the other.
  package func indexes(differingFrom other: RowValues) -> [Int] {
    guard let (packed, changes) = parts, let (others, otherChanges) = other.parts else {
      let count = other.count
      return indices.filter { $0 >= count || !isEqual(to: other, at: $0) }
    }
    let changed = (changes + otherChanges).map(\.index)
    var differing: [Int] = []
    if !packed.isSame(as: others) {
      packed.withFields { own in
        others.withFields { others in
          for index in 0..<own.count where !changed.contains(index) {
            if index >= others.count || !(own[index] == others[index]) { differing.append(index) }
          }
        }
      }
    }
    for index in changed where !differing.contains(index) {
      if index >= others.count || !isEqual(to: other, at: index) { differing.append(index) }
    }
    return changed.isEmpty ? differing : differing.sorted()
  }
}

extension RowValues: RandomAccessCollection, MutableCollection {
  /// The position of the first value.
  public var startIndex: Int { 0 }

  /// The number of values.
  public var endIndex: Int {
    switch storage {
    case .packed(let packed): packed.count
    case .changed(let row): row.packed.count
    case .unpacked(let values): values.count
    }
  }

  /// A value.
  ///
  /// - Complexity: Setting the first few values of a row that was read is O(1); the next is O(*n*).
  public subscript(position: Int) -> Value {
    get {
      switch storage {
      case .packed(let packed): packed[position]
      case .changed(let row): row.changed(position) ?? row.packed[position]
      case .unpacked(let values): values[position]
      }
    }
    set {
      if let (packed, known) = parts {
        precondition(position >= 0 && position < packed.count)
        var changes = known.filter { $0.index != position }
        if changes.count < Self.changeLimit {
          changes.append(Change(index: position, value: newValue))
          return storage = .changed(ChangedRow(packed, changes))
        }
        storage = .unpacked(Array(self))
      }
      withUnsafeMutablePointer(to: &storage) { pointer in
        // The array is moved, not copied, so that nobody else refers to it while it changes.
        guard case .unpacked(var values) = pointer.move() else { preconditionFailure() }
        values[position] = newValue
        pointer.initialize(to: .unpacked(values))
      }
    }
  }

  /// A value; nil if there are not as many.
  package subscript(ifPresent position: Int) -> Value? {
    switch storage {
    case .packed(let packed): packed[ifPresent: position]
    case .changed, .unpacked: position < count ? self[position] : nil
    }
  }

  /// Calls a closure with the values if they are contiguous in memory; nil otherwise.
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Value>) throws -> Result
  ) rethrows -> Result? {
    guard case .unpacked(let values) = storage else { return nil }
    return try values.withContiguousStorageIfAvailable(body)
  }
}

extension RowValues: Hashable {
  /// Compares the values, as ``Value`` does.
  public static func == (lhs: RowValues, rhs: RowValues) -> Bool {
    if lhs.hasSameBytes(as: rhs) { return true }
    return lhs.count == rhs.count && lhs.indexes(differingFrom: rhs).isEmpty
  }

  /// Whether a value equals that of another row at the same index; a packed one is not decoded.
  package func isEqual(to other: RowValues, at index: Int) -> Bool {
    switch (content(at: index), other.content(at: index)) {
    case (.value(let own), .value(let others)): own == others
    case (.packed(let own), .value(let others)): own.isEqual(to: others, at: index)
    case (.value(let own), .packed(let others)): others.isEqual(to: own, at: index)
    case (.packed(let own), .packed(let others)):
      own.withField(at: index) { field in others.withField(at: index) { $0 == field } }
    }
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for value in self { hasher.combine(value) }
  }
}

extension RowValues: ExpressibleByArrayLiteral {
  /// Creates the values of a row from a list.
  public init(arrayLiteral values: Value...) { self.init(values) }
}

extension RowValues: CustomStringConvertible {
  /// The values as an array is described.
  public var description: String { Array(self).description }
}
