import CSQLite
import GRDBSQLite
import ObjectModel

/// Takes rows: those of a table's pages (``PageScan``), or those of a statement, whose text must be
/// stored as UTF-8.
class RowReceiver {
  /// Takes the next row.
  ///
  /// - Parameter row: The row, valid during the call.
  /// - Returns: Whether more rows are wanted.
  func receive(_ row: ReceivedRow) -> Bool {
    preconditionFailure("A receiver takes rows.")
  }

  /// Whether more rows than those that were taken would change nothing.
  var hasEnough: Bool { false }

  /// Whether each row has a greater key than the one before it, for certain.
  final var isInKeyOrder = false

  /// What is known of rows that are not wanted, which are not given to it then; nil for nothing.
  var bound: UnsafePointer<cs_text_bound>? { nil }

  /// Takes the rows of a statement.
  ///
  /// - Returns: Whether all rows were taken, or enough.
  /// - Throws: ``StoreError``.
  final func takeRows(of statement: borrowing Statement) throws(StoreError) -> Bool {
    let values = UnsafeMutableBufferPointer<cs_value>.allocate(capacity: statement.columnCount)
    defer { values.deallocate() }
    guard let start = values.baseAddress else { return false }
    let bound = bound
    while try statement.step() {
      statement.getValues(to: values)
      if let bound, cs_isExcluded(bound, start + Int(bound.pointee.column)) != 0 { continue }
      guard receive(ReceivedRow(start)) else { return hasEnough }
    }
    return true
  }
}

/// A row that a ``RowReceiver`` takes.
struct ReceivedRow: StoredRow {
  private let values: UnsafePointer<cs_value>

  init(_ values: UnsafePointer<cs_value>) { self.values = values }

  /// A column as C has it.
  func stored(_ column: Int32) -> UnsafePointer<cs_value> { values + Int(column) }

  /// The storage class of a column.
  func type(_ column: Int32) -> Int32 { values[Int(column)].type }

  /// Whether a column is an integer.
  func isInteger(_ column: Int32) -> Bool { type(column) == SQLITE_INTEGER }

  /// A column as an integer, which it must be.
  func integer(_ column: Int32) -> Int64 { values[Int(column)].number }

  /// The bytes of a text or blob column, the eight of a number, none of NULL.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let value = values[Int(column)]
    return UnsafeBufferPointer(
      start: value.bytes?.assumingMemoryBound(to: UInt8.self), count: Int(value.count))
  }

  /// A column as it is stored.
  func field(_ column: Int32) -> StoredField {
    let value = values[Int(column)]
    return switch value.type {
    case SQLITE_INTEGER: .integer(value.number)
    case SQLITE_FLOAT: .double(Double(bitPattern: UInt64(bitPattern: value.number)))
    case SQLITE_TEXT: .text(bytes(column))
    case SQLITE_BLOB: .bytes(bytes(column))
    default: .null
    }
  }
}
