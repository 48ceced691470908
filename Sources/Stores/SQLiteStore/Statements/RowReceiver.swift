import GRDBSQLite
import ObjectModel

/// Takes the rows of a statement inside of SQLite's loop over them, where a row costs less than one
/// that a step returns.
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
  static let step: SQLFunctions.Callback = { context, _, arguments in
    guard let arguments, let slot = AggregateState<RowReceiver>.slot(context, creating: true)
    else { return sqlite3_result_error_nomem(context) }
    if slot.pointee == nil { slot.pointee = SQLFunctions.pointer(arguments[0]) }
    let wantsMore = Unretained<RowReceiver>(pointer: slot.pointee).read { receiver in
      let wantsMore = receiver.receive(ReceivedRow(arguments + 1))
      if !wantsMore { receiver.isDone = true }
      return wantsMore
    }
    if wantsMore != true { sqlite3_result_error(context, "no more rows are wanted", -1) }
  }

  static let final: SQLFunctions.Final = { sqlite3_result_null($0) }
}

/// A row that a ``RowReceiver`` takes.
struct ReceivedRow: StoredRow {
  private let values: UnsafeMutablePointer<OpaquePointer?>

  fileprivate init(_ values: UnsafeMutablePointer<OpaquePointer?>) { self.values = values }

  private subscript(column: Int32) -> OpaquePointer? { values[Int(column)] }

  /// The storage class of a column.
  func type(_ column: Int32) -> Int32 { sqlite3_value_type(self[column]) }

  /// Whether a column is an integer.
  func isInteger(_ column: Int32) -> Bool { type(column) == SQLITE_INTEGER }

  /// A column as an integer; 0 if it cannot be converted.
  func integer(_ column: Int32) -> Int64 { sqlite3_value_int64(self[column]) }

  /// The bytes of a text or blob column.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> { SQLFunctions.blob(self[column]) }

  /// A column's stored value.
  func value(_ column: Int32) -> Value { SQLFunctions.value(self[column]) }

  /// Calls a closure with the bytes of a column and their type: those of a text or blob, the eight
  /// of a number, none for NULL.
  func withStored<Result>(
    _ column: Int32, _ body: (UnsafeBufferPointer<UInt8>, Int32) -> Result
  ) -> Result {
    let type = type(column)
    return switch type {
    case SQLITE_INTEGER: Self.withBytes(of: integer(column)) { body($0, type) }
    case SQLITE_FLOAT: Self.withBytes(of: sqlite3_value_double(self[column])) { body($0, type) }
    case SQLITE_NULL: body(UnsafeBufferPointer(start: nil, count: 0), type)
    default: body(bytes(column), type)
    }
  }

  private static func withBytes<Result>(
    of number: some BitwiseCopyable, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeBytes(of: number) { body($0.assumingMemoryBound(to: UInt8.self)) }
  }
}
