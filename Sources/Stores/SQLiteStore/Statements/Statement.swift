import CSQLite
import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// A prepared statement in use: binding, stepping and columns.
///
/// It is taken from the connection's cache or prepared, and given back to the cache at the end of
/// its life.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let connection: Connection
  private let text: String
  /// The operation, for errors.
  private let doing: String
  private let subject: String

  /// Prepares a statement, unless the connection has kept it, and binds its values.
  ///
  /// - Throws: ``StoreError`` if SQLite cannot prepare the statement or bind a value.
  init(_ sql: SQL, on connection: Connection, doing: String, subject: String = "")
    throws(StoreError)
  {
    let text = sql.text
    var prepared = connection.statements.take(text)
    var code = SQLITE_OK
    if prepared == nil {
      let flags = connection.statements.keeps(text) ? SQLITE_PREPARE_PERSISTENT : 0
      code = sqlite3_prepare_v3(connection.handle, text, -1, UInt32(flags), &prepared, nil)
      if code == SQLITE_OK, prepared == nil { code = SQLITE_MISUSE }
    }
    if let prepared, code == SQLITE_OK { code = Self.bind(sql.bindings, to: prepared) }
    guard code == SQLITE_OK, let prepared else {
      let failure = StoreError(
        sqlite: code, connection: connection.handle, doing: doing, subject: subject, sql: text)
      sqlite3_finalize(prepared)
      throw failure
    }
    handle = prepared
    self.text = text
    self.connection = connection
    self.doing = doing
    self.subject = subject
  }

  deinit { connection.statements.giveBack(handle, text: text) }

  /// Steps to the next row.
  ///
  /// - Returns: Whether there is one.
  borrowing func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Starts over: the next step takes the first row.
  borrowing func reset() { sqlite3_reset(handle) }

  /// Starts over with another value in place of the first one.
  borrowing func rebind(_ number: Int64) throws(StoreError) {
    reset()
    let code = sqlite3_bind_int64(handle, 1, number)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Binds a value; only between runs.
  borrowing func bind(_ value: Value, at index: Int32) throws(StoreError) {
    let code = Self.bind(value, to: handle, at: index)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Binds a stored value; only between runs.
  ///
  /// - Parameters:
  ///   - field: The value.
  ///   - index: The number of the parameter, from 1.
  ///   - outlivesRun: Whether its bytes stay where they are until the statement is reset; if not,
  ///     they are copied.
  /// - Throws: ``StoreError``.
  borrowing func bind(_ field: StoredField, at index: Int32, outlivesRun: Bool)
    throws(StoreError)
  {
    let code = Self.bind(
      field, to: handle, at: index, keeping: outlivesRun ? nil : SQLFunctions.transient)
    if code != SQLITE_OK { throw failure(code) }
  }

  private borrowing func failure(_ code: Int32) -> StoreError {
    StoreError(
      sqlite: code, connection: connection.handle, doing: doing, subject: subject, sql: text)
  }
}

extension Statement {
  private static func bind(_ bindings: [SQL.Binding], to handle: OpaquePointer) -> Int32 {
    for (offset, binding) in bindings.enumerated() {
      let index = Int32(truncatingIfNeeded: offset + 1)
      let code =
        switch binding {
        case .value(let value): bind(value, to: handle, at: index)
        case .program(let condition): SQLFunctions.bind(condition, to: handle, at: index)
        }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  /// Binds a value; one that is not a stored value is bound in the nearest form.
  private static func bind(_ value: Value, to handle: OpaquePointer, at index: Int32) -> Int32 {
    func bind(_ field: StoredField) -> Int32 {
      self.bind(field, to: handle, at: index, keeping: SQLFunctions.transient)
    }
    func bind(_ bytes: UnsafeRawBufferPointer) -> Int32 {
      bind(.bytes(bytes.assumingMemoryBound(to: UInt8.self)))
    }
    return switch value {
    case .null: bind(.null)
    case .integer(let number): bind(.integer(number))
    case .bool(let flag): bind(.integer(flag ? 1 : 0))
    case .double(let number): bind(.double(number))
    case .decimal(let number): bind(.double(NSDecimalNumber(decimal: number).doubleValue))
    case .date(let date): bind(.double(date.timeIntervalSince1970))
    case .string(let text): text.withBytes { bind(.text($0)) }
    case .url(let url): url.absoluteString.withBytes { bind(.text($0)) }
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { bind($0) }
    case .data(let data): data.withUnsafeBytes { bind($0) }
    }
  }

  /// Binds a stored value; an empty one may have no address, which SQLite would bind as NULL.
  private static func bind(
    _ field: StoredField, to handle: OpaquePointer, at index: Int32,
    keeping: sqlite3_destructor_type?
  ) -> Int32 {
    switch field {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .double(let number): sqlite3_bind_double(handle, index, number)
    case .text(let bytes) where bytes.isEmpty:
      sqlite3_bind_text(handle, index, "", 0, SQLFunctions.transient)
    case .text(let bytes):
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(
          handle, index, $0.baseAddress, UInt64($0.count), keeping, UInt8(SQLITE_UTF8))
      }
    case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
    case .bytes(let bytes):
      sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), keeping)
    }
  }
}

extension Connection {
  /// The values of all rows of a query.
  func rows(_ sql: SQL, doing: String, subject: String = "") throws(StoreError) -> [[Value]] {
    let statement = try Statement(sql, on: self, doing: doing, subject: subject)
    var rows: [[Value]] = []
    while try statement.step() { rows.append(statement.values) }
    return rows
  }

  /// The first value of a query's first row as an integer; 0 if there is no row.
  ///
  /// - Throws: ``StoreError``.
  func number(_ sql: SQL, doing: String) throws(StoreError) -> Int64 {
    let statement = try Statement(sql, on: self, doing: doing)
    return try statement.step() ? statement.integer(0) : 0
  }
}

extension Statement: StoredRow {
  /// SQLite's handle, for counters of the statement.
  var handleForStatus: OpaquePointer { handle }

  /// Whether a column is an integer.
  borrowing func isInteger(_ column: Int32) -> Bool { type(column) == SQLITE_INTEGER }

  /// A column's value, valid until the next step.
  ///
  /// Asking the value takes half of the time of asking the statement, which looks after the
  /// connection each time. SQLite allows that where one thread alone uses the connection
  /// (<https://sqlite.org/c3ref/value.html>), as it is here.
  private borrowing func stored(_ column: Int32) -> OpaquePointer? {
    sqlite3_column_value(handle, column)
  }

  /// The storage class of a column: SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or
  /// SQLITE_NULL.
  borrowing func type(_ column: Int32) -> Int32 { sqlite3_value_type(stored(column)) }

  /// A column as an integer; 0 if it cannot be converted.
  borrowing func integer(_ column: Int32) -> Int64 { sqlite3_value_int64(stored(column)) }

  /// A column as a double; 0 if it cannot be converted.
  borrowing func double(_ column: Int32) -> Double { sqlite3_value_double(stored(column)) }

  /// Calls a closure with the bytes of a text or blob column.
  borrowing func withBytes<Result>(
    _ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withBytes(column, type: type(column), body)
  }

  /// Calls a closure with the bytes of a text or blob column whose storage class is known.
  borrowing func withBytes<Result>(
    _ column: Int32, type: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(SQLFunctions.bytes(stored(column), type: type))
  }

  /// A column as it is stored, valid until the next step.
  borrowing func field(_ column: Int32) -> StoredField { StoredField(stored(column)) }

  /// The number of columns.
  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Sets values to those of all columns, valid until the next step.
  borrowing func getValues(to values: UnsafeMutableBufferPointer<cs_value>) {
    for column in values.indices { cs_getValue(stored(Int32(column)), &values[column]) }
  }

  /// The stored values of all columns.
  var values: [Value] {
    var values: [Value] = []
    for column in 0..<Int32(columnCount) { values.append(value(column)) }
    return values
  }
}

extension SQL {
  /// The statement as SQLite reads it.
  var text: String { text(in: .sqlite) }
}

/// A row as it is stored.
protocol StoredRow: ~Copyable {
  /// Whether a column is an integer.
  borrowing func isInteger(_ column: Int32) -> Bool

  /// A column as an integer; 0 if it cannot be converted.
  borrowing func integer(_ column: Int32) -> Int64

  /// A column as it is stored, valid while the row is.
  borrowing func field(_ column: Int32) -> StoredField
}

extension StoredRow where Self: ~Copyable {
  /// A column's stored value.
  borrowing func value(_ column: Int32) -> Value { field(column).value }

  /// Adds the stored value of a column to a digest.
  borrowing func add(_ column: Int32, to digest: inout RowDigest) {
    switch field(column) {
    case .integer(let number): digest.add(kind: SQLITE_INTEGER, UInt64(bitPattern: number))
    case .double(let number): digest.add(kind: SQLITE_FLOAT, number.bitPattern)
    case .text(let bytes): digest.add(kind: SQLITE_TEXT, length: bytes.count, bytes)
    case .bytes(let bytes): digest.add(kind: SQLITE_BLOB, length: bytes.count, bytes)
    case .null: digest.add(kind: SQLITE_NULL, 0)
    }
  }
}
