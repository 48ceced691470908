import GRDBSQLite
import ObjectModel

/// Tells a ``FetchControl`` how far a statement is, and stops the statement when the control is cancelled.
///
/// It hangs on the connection's progress handler from its making to its end.
final class StatementProgress {
  private let control: FetchControl
  private let connection: OpaquePointer
  private var statement: OpaquePointer?
  private var total = 0

  /// Follows work on a connection; nil when nobody wants to know.
  init?(_ control: FetchControl?, connection: Connection) {
    guard let control else { return nil }
    self.control = control
    self.connection = connection.handle
    sqlite3_progress_handler(
      connection.handle, 1000,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StatementProgress>.fromOpaque(pointer).takeUnretainedValue().tick()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Takes the handler off the connection.
  func end() { sqlite3_progress_handler(connection, 0, nil, nil) }

  /// Names the statement that is run.
  ///
  /// - Parameters:
  ///   - statement: The statement; it must outlive the work.
  ///   - total: About how many rows it will see; 0 when not known.
  func follow(_ statement: borrowing Statement, total: Int) {
    self.statement = statement.handleForStatus
    // A statement that was used before goes on counting.
    sqlite3_stmt_status(statement.handleForStatus, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
    self.total = total
  }

  /// Tells how many rows were delivered.
  func report(delivered: Int) { control.report(completed: delivered, total: max(total, delivered)) }

  private func tick() -> Int32 {
    if control.isCancelled { return 1 }
    // Rows that a scan has stepped over: while SQLite sorts, none is delivered yet.
    if let statement {
      let scanned = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
      if scanned > control.completed, scanned < total || total == 0 {
        control.report(completed: scanned, total: total)
      }
    }
    return 0
  }
}
