import CSQLite
import GRDBSQLite
import ObjectModel

/// Takes rows: those of a table's pages (``PageScan``), or those of a statement, inside of SQLite's
/// loop over them, where a row costs less than one that a step returns.
///
/// The statement is `SELECT cardfile_rows(?, …) FROM …`, an aggregate function that passes its
/// arguments on to the receiver that is bound to its first parameter; text must be stored as UTF-8.
class RowReceiver {
  /// Whether no more rows are wanted.
  private var isDone = false

  /// Takes the next row.
  ///
  /// - Parameter row: The row, valid during the call.
  /// - Returns: Whether more rows are wanted.
  func receive(_ row: ReceivedRow) -> Bool {
    preconditionFailure("A receiver takes rows.")
  }

  /// Whether more rows than those that were taken would change nothing.
  var hasEnough: Bool { false }

  /// Takes the rows of a statement.
  ///
  /// - Returns: Whether all rows were taken, or enough.
  /// - Throws: ``StoreError``.
  final func takeRows(of statement: borrowing Statement) throws(StoreError) -> Bool {
    isDone = false
    try statement.bind(Unretained(self).pointer, at: 1)
    do throws(StoreError) { _ = try statement.step() } catch {
      // The loop is left by an error.
      guard isDone else { throw error }
    }
    return !isDone || hasEnough
  }

  /// `cardfile_rows(receiver, …)`: NULL; passes each row to the receiver.
  static let step: SQLFunctions.Callback = { context, count, arguments in
    guard let arguments, let slot = AggregateState<RowReceiver>.slot(context, creating: true)
    else { return sqlite3_result_error_nomem(context) }
    if slot.pointee == nil { slot.pointee = SQLFunctions.pointer(arguments[0]) }
    let count = Int(count) - 1
    let wantsMore = withUnsafeTemporaryAllocation(of: cs_value.self, capacity: max(count, 1)) {
      values -> Bool? in
      for index in 0..<count { cs_getValue(arguments[index + 1], &values[index]) }
      guard let start = values.baseAddress else { return nil }
      return Unretained<RowReceiver>(pointer: slot.pointee).read { receiver in
        let wantsMore = receiver.receive(ReceivedRow(start))
        if !wantsMore { receiver.isDone = true }
        return wantsMore
      }
    }
    if wantsMore != true { sqlite3_result_error(context, "no more rows are wanted", -1) }
  }

  static let final: SQLFunctions.Final = { sqlite3_result_null($0) }
}

/// A row that a ``RowReceiver`` takes.
struct ReceivedRow: StoredRow {
  private let values: UnsafePointer<cs_value>

  init(_ values: UnsafePointer<cs_value>) { self.values = values }

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
