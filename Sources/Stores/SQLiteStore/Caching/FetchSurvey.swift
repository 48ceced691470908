import GRDBSQLite
import SQLQueries

/// Finds out whether a statement reads nothing but ordinary tables, by functions whose results
/// depend on nothing but their arguments.
///
/// A view may call `random()`, a virtual table may read another file, and external values are in
/// files.
enum FetchSurvey {
  /// SQLite's functions in our statements; our own are registered as deterministic but
  /// `cardfile_external`.
  private static let functions: Set<String> = [
    "abs", "avg", "ceil", "ceiling", "coalesce", "count", "exp", "floor", "glob", "hex", "ifnull",
    "iif", "instr", "length", "like", "ln", "log", "log10", "lower", "ltrim", "max", "min", "mod",
    "nullif", "pow", "power", "replace", "round", "row_number", "rtrim", "sqrt", "substr",
    "substring", "sum", "total", "trim", "trunc", "typeof", "unicode", "upper",
  ]

  /// Compiles a statement without running it.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - connection: A connection to the database, used for nothing else.
  /// - Returns: Whether it is certain that the statement has the same results in the same state.
  static func isRepeatable(_ sql: SQL, on connection: OpaquePointer) -> Bool {
    guard let accesses = StatementAccess.all(of: sql.text, on: connection) else { return false }
    return accesses.allSatisfy { access in
      guard access.part == nil else { return false }
      let name = (access.second ?? "").lowercased()
      return access.action != SQLITE_FUNCTION || functions.contains(name)
        || name.hasPrefix("cardfile_") && name != "cardfile_external"
    }
      && Set(accesses.filter { $0.action == SQLITE_READ }.compactMap(\.first))
        .allSatisfy { isOrdinary($0, on: connection) }
  }

  /// Whether a table is in the database itself, or is a list of constants.
  private static func isOrdinary(_ table: String, on connection: OpaquePointer) -> Bool {
    if table == "json_each" { return true }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let query = """
      SELECT 1 FROM main.sqlite_schema
      WHERE type = 'table' AND name = ? COLLATE NOCASE AND sql NOT LIKE 'CREATE VIRTUAL %'
      """
    return sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK
      && sqlite3_bind_text(statement, 1, table, -1, SQLFunctions.transient) == SQLITE_OK
      && sqlite3_step(statement) == SQLITE_ROW
  }
}
