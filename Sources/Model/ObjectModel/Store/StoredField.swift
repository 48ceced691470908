import Foundation

/// A field of a row as it is stored: one of SQLite's five kinds.
///
/// It refers to the store's memory, and is valid only during the call that it is passed to.
package enum StoredField {
  case null
  case integer(Int64)
  case double(Double)
  /// Text, which need not be UTF-8.
  case text(UnsafeBufferPointer<UInt8>)
  case bytes(UnsafeBufferPointer<UInt8>)

  /// The field as a value that can be kept.
  package var value: Value {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .text(let bytes): .string(String(storedText: bytes))
    case .bytes(let bytes): .data(Data(bytes))
    }
  }
}

extension StoredField {
  /// Whether two fields are equal, as their values are.
  static func == (lhs: StoredField, rhs: StoredField) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
    case (.text(let a), .text(let b)), (.bytes(let a), .bytes(let b)):
      ByteOrder.compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) == 0
    default: false
    }
  }
}

extension Value {
  /// Calls a closure with the value as a field.
  ///
  /// - Returns: What the closure returns; nil if the value is of a kind that is not stored.
  package func withStoredField<Result>(_ body: (StoredField) throws -> Result) rethrows -> Result? {
    switch self {
    case .null: return try body(.null)
    case .integer(let number): return try body(.integer(number))
    case .double(let number): return try body(.double(number))
    case .string(let text): return try text.withBytes { bytes in try body(.text(bytes)) }
    case .data(let data):
      return try data.withUnsafeBytes { bytes in
        try body(.bytes(bytes.assumingMemoryBound(to: UInt8.self)))
      }
    case .decimal, .bool, .date, .uuid, .url: return nil
    }
  }
}

/// A store that can pass on the fields of rows without a value for each.
package protocol StoredRowReading: PersistentStore {
  /// Reads attributes of objects in order, in a read transaction; objects that do not exist are left
  /// out.
  ///
  /// - Parameters:
  ///   - ids: IDs of objects of one entity with integer keys.
  ///   - attributes: Indexes of attributes of the entity.
  ///   - body: Called with the whole stored values of each row, in the order of the indexes, which
  ///     are valid only during the call, and with its key.
  /// - Returns: Whether the store can do that for the entity, and is in a read transaction; if not,
  ///   nothing was read.
  /// - Throws: `StoreError`, or what the closure throws.
  func readFields(
    of ids: ObjectIDList, attributes: [Int],
    _ body: (UnsafeBufferPointer<StoredField>, Int64) throws -> Void
  ) throws -> Bool
}
