import GRDB
import GRDBSQLite

/// Stops statements on a connection that take too long, as those do that run in circles through a damaged file.
///
/// It hangs on the connection's progress handler from its making to its end.
final class TimeLimit {
  private let connection: OpaquePointer
  private let end: ContinuousClock.Instant

  /// Starts to count; nil when the connection is closed.
  init?(_ duration: Duration, on database: Database) {
    guard let connection = database.sqliteConnection else { return nil }
    self.connection = connection
    end = .now + duration
    sqlite3_progress_handler(
      connection, 20_000,
      { pointer in
        guard let pointer else { return 0 }
        let limit = Unmanaged<TimeLimit>.fromOpaque(pointer).takeUnretainedValue()
        return limit.end < .now ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Takes the handler off the connection.
  func lift() { sqlite3_progress_handler(connection, 0, nil, nil) }
}
