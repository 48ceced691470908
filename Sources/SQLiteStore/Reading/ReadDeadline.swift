import GRDBSQLite
import ObjectModel

/// Interrupts the statements of a connection when the time of a read is over.
final class ReadDeadline {
  let seconds: Double
  private let end: ContinuousClock.Instant

  /// Starts the time.
  init(seconds: Double) {
    self.seconds = seconds
    end = .now + .seconds(seconds)
  }

  var isOver: Bool { ContinuousClock.now >= end }

  func begin(on connection: OpaquePointer) {
    sqlite3_progress_handler(
      connection, 10_000,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<ReadDeadline>.fromOpaque(pointer).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func end(on connection: OpaquePointer) { sqlite3_progress_handler(connection, 0, nil, nil) }
}
