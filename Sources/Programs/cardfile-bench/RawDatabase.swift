import GRDBSQLite

/// A connection that uses only SQLite's C API, as the baseline of every workload.
struct RawDatabase: ~Copyable {
  /// A failed call, with SQLite's message.
  struct SQLiteError: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: OpaquePointer

  init(path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteError(description: "opening \(path): \(String(cString: sqlite3_errstr(code)))")
    }
    let isCoreData =
      sqlite3_table_column_metadata(opened, "main", "ZPEOPLE", nil, nil, nil, nil, nil, nil)
      == SQLITE_OK
    guard
      !isCoreData || sqlite3_exec(opened, PeopleDatabase.coreDataView, nil, nil, nil) == SQLITE_OK
    else {
      let message = String(cString: sqlite3_errmsg(opened))
      sqlite3_close_v2(opened)
      throw SQLiteError(description: "the view of \(path): \(message)")
    }
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  borrowing func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
  }

  borrowing func prepare(_ sql: String) throws(SQLiteError) -> RawStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw error(sql)
    }
    return RawStatement(statement)
  }

  private borrowing func error(_ sql: String) -> SQLiteError {
    SQLiteError(description: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
  }
}

/// A prepared statement of a ``RawDatabase``.
struct RawStatement: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  /// Steps to the next row; returns false after the last one.
  borrowing func step() throws(RawDatabase.SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw RawDatabase.SQLiteError(description: String(cString: sqlite3_errstr(code)))
    }
  }

  /// Resets the statement so that it can run again; its bindings remain.
  borrowing func reset() { sqlite3_reset(handle) }

  borrowing func bind(_ number: Int64, at index: Int32) {
    sqlite3_bind_int64(handle, index, number)
  }

  /// Binds text, or NULL for nil.
  borrowing func bind(_ text: String?, at index: Int32) {
    guard let text else {
      sqlite3_bind_null(handle, index)
      return
    }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, index, text, -1, transient)
  }

  borrowing func integer(at index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  /// Returns the bytes of a column's text without copying them; valid until the next step.
  borrowing func utf8(at index: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, index)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  /// Returns a column's text; nil for NULL.
  borrowing func optionalText(at index: Int32) -> String? {
    sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : text(at: index)
  }

  borrowing func text(at index: Int32) -> String {
    String(decoding: utf8(at: index), as: UTF8.self)
  }
}
