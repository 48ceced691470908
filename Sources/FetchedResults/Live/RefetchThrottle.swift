/// Leaves other processes time to write between two whole fetches after their commits.
///
/// Without a write-ahead log, nobody can commit while a database is read. Fetching a million rows
/// after each commit would block a busy writer; a small list is fetched in no time.
struct RefetchThrottle {
  /// How many times as long as a fetch the pause after it is.
  private static let factor = 4

  private var end: ContinuousClock.Instant?

  /// Begins the pause after a fetch.
  ///
  /// - Parameters:
  ///   - duration: How long the store was read.
  ///   - now: When the fetch ended.
  mutating func begin(after duration: Duration, now: ContinuousClock.Instant) {
    end = now + duration * Self.factor
  }

  /// How long the next fetch should wait; zero if it may begin.
  func remaining(now: ContinuousClock.Instant) -> Duration {
    end.map { max(.zero, $0 - now) } ?? .zero
  }
}
