import GRDBSQLite

/// A database through SQLite's C API and nothing else: what every workload is measured against.
struct RawDatabase: ~Copyable {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: OpaquePointer

  init(path: String) throws(Problem) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw Problem(description: "opening \(path): \(String(cString: sqlite3_errstr(code)))")
    }
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  borrowing func execute(_ sql: String) throws(Problem) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw problem(sql) }
  }

  borrowing func prepare(_ sql: String) throws(Problem) -> RawStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw problem(sql)
    }
    return RawStatement(statement)
  }

  private borrowing func problem(_ sql: String) -> Problem {
    Problem(description: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
  }
}

/// A prepared statement.
struct RawStatement: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  /// Steps to the next row; false at the end.
  borrowing func step() throws(RawDatabase.Problem) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw RawDatabase.Problem(description: String(cString: sqlite3_errstr(code)))
    }
  }

  /// Makes it ready to run again.
  borrowing func reset() { sqlite3_reset(handle) }

  borrowing func bind(_ number: Int64, at index: Int32) {
    sqlite3_bind_int64(handle, index, number)
  }

  /// Binds text; nil is NULL.
  borrowing func bind(_ text: String?, at index: Int32) {
    guard let text else {
      sqlite3_bind_null(handle, index)
      return
    }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, index, text, -1, transient)
  }

  borrowing func integer(at index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  /// The bytes of a text, without copying them; valid until the next step.
  borrowing func utf8(at index: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, index)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  borrowing func text(at index: Int32) -> String {
    String(decoding: utf8(at: index), as: UTF8.self)
  }
}
