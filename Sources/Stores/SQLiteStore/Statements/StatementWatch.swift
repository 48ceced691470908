import GRDBSQLite
import ObjectModel

/// Interrupts the statements of a connection when a time is over or a control is cancelled.
final class StatementWatch {
  private let end: ContinuousClock.Instant?
  private let control: FetchControl?

  /// Starts the time; nil if nothing can interrupt.
  init?(seconds: Double? = nil, control: FetchControl?) {
    guard seconds != nil || control != nil else { return nil }
    end = seconds.map { .now + .seconds($0) }
    self.control = control
  }

  func begin(on connection: Connection) {
    sqlite3_progress_handler(
      connection.handle, 5_000,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StatementWatch>.fromOpaque(pointer).takeUnretainedValue().tick()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func end(on connection: Connection) {
    sqlite3_progress_handler(connection.handle, 0, nil, nil)
  }

  private func tick() -> Int32 {
    if let control, control.mustStop { return 1 }
    if let end, ContinuousClock.now >= end { return 1 }
    return 0
  }
}
