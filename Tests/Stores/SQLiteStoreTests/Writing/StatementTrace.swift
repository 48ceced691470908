import Foundation
import GRDB
import GRDBSQLite

@testable import SQLiteStore

/// The statements that SQLite runs on a connection, values in place.
final class StatementTrace {
  private var statements: [String] = []

  /// The statements that write which SQLite is asked to run, without those of triggers and those
  /// that end or begin a transaction.
  static func writes(on queue: DatabaseQueue, during body: () throws -> Void) throws -> [String] {
    let trace = StatementTrace()
    try withExtendedLifetime(trace) {
      queue.writeWithoutTransaction { database in
        _ = sqlite3_trace_v2(
          database.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
          { _, context, statement, text in
            guard let context, let statement, let text else { return 0 }
            Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
              .note(OpaquePointer(statement), text.assumingMemoryBound(to: CChar.self))
            return 0
          }, Unmanaged.passUnretained(trace).toOpaque())
      }
      defer {
        queue.writeWithoutTransaction { database in
          _ = sqlite3_trace_v2(database.sqliteConnection, 0, nil, nil)
        }
      }
      try body()
    }
    return trace.statements
  }

  private func note(_ statement: OpaquePointer, _ text: UnsafePointer<CChar>) {
    // A statement of a trigger comes as a comment.
    guard sqlite3_stmt_readonly(statement) == 0, !String(cString: text).hasPrefix("--"),
      let expanded = sqlite3_expanded_sql(statement)
    else { return }
    defer { sqlite3_free(expanded) }
    let sql = String(cString: expanded)
    let controls = ["BEGIN", "COMMIT", "PRAGMA"]
    if !controls.contains(where: sql.hasPrefix) { statements.append(sql) }
  }
}

extension [String] {
  /// Statements of a save in one form: in capitals, without marks, and the time of a history
  /// transaction left out.
  var comparable: [String] {
    map { line in
      line.replacing("-- refused by a constraint for now: ", with: "")
        .replacing(/;$/, with: "")
        .replacing(/[0-9]{8,}\.[0-9]+/, with: "NOW")
        .uppercased()
    }
  }
}
