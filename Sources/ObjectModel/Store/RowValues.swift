/// The stored values of a row, in the order of its entity's attributes.
///
/// A row that was read is packed: one allocation holds all values as the database returned them, and
/// a value is decoded when it is asked for. Most rows of a large store are read, cached and dropped
/// without that. Setting a value unpacks the row.
public struct RowValues: Sendable {
  private enum Storage: Sendable {
    case packed(PackedValues)
    case unpacked([Value])
  }

  private var storage: Storage

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
    case .unpacked(let values): values[index].isNull
    }
  }
}

extension RowValues: RandomAccessCollection, MutableCollection {
  /// The position of the first value.
  public var startIndex: Int { 0 }

  /// The number of values.
  public var endIndex: Int {
    switch storage {
    case .packed(let packed): packed.count
    case .unpacked(let values): values.count
    }
  }

  /// A value; setting one is O(*n*) the first time.
  public subscript(position: Int) -> Value {
    get {
      switch storage {
      case .packed(let packed): packed[position]
      case .unpacked(let values): values[position]
      }
    }
    set {
      var values =
        switch storage {
        case .packed: Array(self)
        case .unpacked(let values): values
        }
      // Now nobody else refers to the array, so that changing it does not copy it.
      storage = .unpacked([])
      values[position] = newValue
      storage = .unpacked(values)
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
    return lhs.count == rhs.count && (0..<lhs.count).allSatisfy { lhs.isEqual(to: rhs, at: $0) }
  }

  /// Whether a value equals that of another row at the same index; a packed one is not decoded.
  package func isEqual(to other: RowValues, at index: Int) -> Bool {
    switch (storage, other.storage) {
    case (.unpacked(let own), .unpacked(let others)): own[index] == others[index]
    case (.packed(let own), .unpacked(let others)): own.isEqual(to: others[index], at: index)
    case (.unpacked(let own), .packed(let others)): others.isEqual(to: own[index], at: index)
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
