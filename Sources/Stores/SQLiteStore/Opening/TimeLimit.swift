import GRDBSQLite

/// Interrupts the statements on a connection after a time limit, such as endless loops in a damaged
/// file.
///
/// It uses the connection's progress handler, of which there is only one, until ``lift()``.
final class TimeLimit {
  private let connection: OpaquePointer
  private let end: ContinuousClock.Instant

  /// Starts the time limit.
  init(_ duration: Duration, on connection: Connection) {
    self.connection = connection.handle
    end = .now + duration
    sqlite3_progress_handler(
      connection.handle, 20_000,
      { pointer in
        guard let pointer else { return 0 }
        let limit = Unmanaged<TimeLimit>.fromOpaque(pointer).takeUnretainedValue()
        return limit.end < .now ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Removes the time limit from the connection.
  func lift() { sqlite3_progress_handler(connection, 0, nil, nil) }
}
