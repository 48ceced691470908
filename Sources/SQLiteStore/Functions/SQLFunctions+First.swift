import GRDBSQLite
import ObjectModel

extension SQLFunctions {
  /// `cardfile_first(x, options, limit, isDescending)`: 0 for a text that cannot be among the first
  /// rows, else 1.
  ///
  /// It must be called once for each row of a statement. Other values than text give 1.
  static let first: Callback = { context, _, arguments in
    guard let arguments, sqlite3_value_type(arguments[0]) == SQLITE_TEXT,
      // UTF-16 has another order.
      sqlite3_value_encoding(arguments[0]) == SQLITE_UTF8
    else {
      sqlite3_result_int(context, 1)
      return
    }
    let bytes = blob(arguments[0])
    let admits: Bool
    if let kept = sqlite3_get_auxdata(context, 2) {
      admits = Unmanaged<FirstTexts>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.admits(bytes) }
    } else {
      let texts = FirstTexts(
        limit: max(1, Int(sqlite3_value_int(arguments[2]))),
        options: .init(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(arguments[1]))),
        isDescending: sqlite3_value_int(arguments[3]) != 0)
      // SQLite releases it when the statement is reset.
      sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(texts).toOpaque()) { kept in
        if let kept { Unmanaged<FirstTexts>.fromOpaque(kept).release() }
      }
      admits = texts.admits(bytes)
    }
    sqlite3_result_int(context, admits ? 1 : 0)
  }
}
