import ObjectModel
import GRDBSQLite

/// An access of a statement to the database, as SQLite names it to an authorizer while it compiles.
struct StatementAccess {
  /// SQLITE_READ, SQLITE_INSERT, SQLITE_FUNCTION and others.
  let action: Int32
  /// What is accessed: the names of a table and of a column, for instance.
  let first, second: String?
  /// The trigger or view because of which it is made; nil if the statement itself makes it.
  let part: String?

  private final class List { var accesses: [StatementAccess] = [] }

  /// Compiles a statement, and runs nothing.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - connection: A connection that is used for nothing else: GRDB has an authorizer of its own.
  /// - Returns: Its accesses; nil if it cannot be compiled.
  static func all(of sql: String, on connection: OpaquePointer) -> [StatementAccess]? {
    let list = List()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, _, part in
        let names = [first, second, part].map { $0.map { String(cString: $0) } }
        Unretained<List>(pointer: context).object?.accesses.append(
          StatementAccess(action: action, first: names[0], second: names[1], part: names[2]))
        return SQLITE_OK
      }, Unretained(list).pointer)
    defer { sqlite3_set_authorizer(connection, nil, nil) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    return withExtendedLifetime(list) {
      sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK ? list.accesses : nil
    }
  }
}
