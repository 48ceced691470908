/// Bounds the work of following other processes that commit all the time: it takes a third of one
/// processor at most.
///
/// Without a write-ahead log, nobody can commit while a database is read: the pauses between two
/// fetches are theirs.
struct RefetchThrottle {
  /// How many times as long as a fetch on one thread the pause after it is.
  private static let factor = 2

  private var end: ContinuousClock.Instant?

  /// Begins the pause after a fetch.
  ///
  /// - Parameters:
  ///   - duration: How long the store was read.
  ///   - threads: How many threads may have read it.
  ///   - now: When the fetch ended.
  mutating func begin(after duration: Duration, threads: Int, now: ContinuousClock.Instant) {
    end = now + duration * Self.factor * threads
  }

  /// How long the next fetch should wait; zero if it may begin.
  func remaining(now: ContinuousClock.Instant) -> Duration {
    end.map { max(.zero, $0 - now) } ?? .zero
  }
}
