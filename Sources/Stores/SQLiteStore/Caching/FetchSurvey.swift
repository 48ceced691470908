import GRDBSQLite
import SQLQueries

/// Finds out whether a statement reads nothing but ordinary tables, by functions whose results
/// depend on nothing but their arguments: SQLite names all of them to an authorizer while it
/// compiles.
///
/// A view may call `random()`, a virtual table may read another file, and external values are in
/// files. The connection is used for nothing else, because GRDB has an authorizer of its own.
final class FetchSurvey {
  private var tables: Set<String> = []
  private var readsView = false
  private var callsOtherFunction = false

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
  ///   - connection: A connection to the database.
  /// - Returns: Whether it is certain that the statement has the same results in the same state.
  static func isRepeatable(_ sql: SQL, on connection: OpaquePointer) -> Bool {
    let survey = FetchSurvey()
    guard survey.compile(sql, on: connection), !survey.readsView, !survey.callsOtherFunction else {
      return false
    }
    return survey.tables.allSatisfy { isOrdinary($0, on: connection) }
  }

  private func compile(_ sql: SQL, on connection: OpaquePointer) -> Bool {
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, _, view in
        guard let context else { return SQLITE_OK }
        Unmanaged<FetchSurvey>.fromOpaque(context).takeUnretainedValue().note(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) },
          isInView: view != nil)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(connection, nil, nil) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    return sqlite3_prepare_v2(connection, sql.text, -1, &statement, nil) == SQLITE_OK
  }

  private func note(_ action: Int32, _ first: String?, _ second: String?, isInView: Bool) {
    if isInView { readsView = true }
    switch action {
    case SQLITE_READ: if let first { tables.insert(first) }
    case SQLITE_FUNCTION:
      let name = (second ?? "").lowercased()
      let isOwn = name.hasPrefix("cardfile_") && name != "cardfile_external"
      if !isOwn, !Self.functions.contains(name) { callsOtherFunction = true }
    default: break
    }
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
