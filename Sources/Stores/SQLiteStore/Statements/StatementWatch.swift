import GRDBSQLite
import ObjectModel

/// Interrupts the statements of a connection when a time is over or a control is cancelled, and
/// reports the progress of one of them.
///
/// It is the connection's progress handler, of which there is only one, until ``end()``.
final class StatementWatch {
  private let connection: OpaquePointer
  private let control: FetchControl?
  /// The control of the thread.
  private let current = FetchControl.current
  private let deadline: ContinuousClock.Instant?
  private var statement: OpaquePointer?
  private var total = 0
  private var readers = 1
  private var completed = 0

  /// Begins to watch; nil if nothing can interrupt.
  ///
  /// - Parameters:
  ///   - control: Ends the statements when it is cancelled, and is told of progress.
  ///   - connection: The connection.
  ///   - deadline: When statements end; nil for no limit.
  init?(
    _ control: FetchControl?, on connection: Connection,
    until deadline: ContinuousClock.Instant? = nil
  ) {
    guard control != nil || deadline != nil else { return nil }
    self.connection = connection.handle
    self.control = control
    self.deadline = deadline
    sqlite3_progress_handler(
      connection.handle, 1000, { Unretained<StatementWatch>(pointer: $0).object?.tick() ?? 0 },
      Unretained(self).pointer)
  }

  /// Removes the handler.
  func end() { sqlite3_progress_handler(connection, 0, nil, nil) }

  /// Sets what is read next, by something else than a statement.
  ///
  /// - Parameters:
  ///   - total: The estimated number of rows that all readers read; 0 if it is not known.
  ///   - readers: How many readers read as many rows each.
  func expect(total: Int, readers: Int) {
    statement = nil
    self.total = total
    self.readers = readers
    completed = 0
  }

  /// Sets the statement whose progress is reported, which must live until ``end()``.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - total: The estimated number of rows that all readers read; 0 if it is not known.
  ///   - readers: How many readers read as many rows each.
  func follow(_ statement: borrowing Statement, total: Int, readers: Int = 1) {
    expect(total: total, readers: readers)
    self.statement = statement.handleForStatus
    // The counter of a kept statement goes on from its last use.
    sqlite3_stmt_status(statement.handleForStatus, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
  }

  /// Reports the number of rows that a reader has taken.
  func report(delivered: Int) { report(delivered * readers) }

  /// Reports which part of what is read has been read.
  func report(share: Double) { report(Int(Double(total) * share)) }

  /// What is filtered is read, but not taken: the greater one of both numbers is right.
  private func report(_ completed: Int) {
    guard completed > self.completed else { return }
    self.completed = completed
    control?.report(completed: completed, total: total == 0 ? 0 : max(total, completed))
  }

  /// Whether what is read shall end.
  var mustStop: Bool {
    control?.mustStop == true || current?.mustStop == true || deadline.map { $0 < .now } ?? false
  }

  private func tick() -> Int32 {
    if mustStop { return 1 }
    // Steps of a table scan: while SQLite sorts, no row is returned.
    if let statement {
      let scanned = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
      if scanned < total || total == 0 { report(scanned) }
    }
    return 0
  }
}
