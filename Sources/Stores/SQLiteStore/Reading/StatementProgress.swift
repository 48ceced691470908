import GRDBSQLite
import ObjectModel

/// A connection's progress handler that reports a statement's progress to a ``FetchControl``, and
/// interrupts the statement when the control is cancelled.
///
/// It is installed from ``init(_:connection:)`` to ``end()``.
final class StatementProgress {
  private let control: FetchControl
  /// The control of the thread.
  private let current = FetchControl.current
  private let connection: OpaquePointer
  private var statement: OpaquePointer?
  private var total = 0
  private var readers = 1

  /// Installs the handler; nil if there is no control.
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

  /// Removes the handler.
  func end() { sqlite3_progress_handler(connection, 0, nil, nil) }

  /// Sets the statement whose progress is reported, which must live until ``end()``.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - total: The estimated number of rows that all readers read; 0 if it is not known.
  ///   - readers: How many readers read as many rows each.
  func follow(_ statement: borrowing Statement, total: Int, readers: Int = 1) {
    self.statement = statement.handleForStatus
    // The counter of a kept statement goes on from its last use.
    sqlite3_stmt_status(statement.handleForStatus, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
    self.total = total
    self.readers = readers
  }

  /// Reports the number of rows that were read.
  func report(delivered: Int) {
    control.report(completed: delivered * readers, total: max(total, delivered * readers))
  }

  private func tick() -> Int32 {
    if control.mustStop || current?.mustStop == true { return 1 }
    // Steps of a table scan: while SQLite sorts, no row is returned.
    if let statement {
      let scanned = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
      if scanned > control.completed, scanned < total || total == 0 {
        control.report(completed: scanned, total: total)
      }
    }
    return 0
  }
}
