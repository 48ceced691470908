/// Bounds the work of following other processes that commit all the time: with what the screen
/// needs at once, it takes half of one processor.
///
/// Without a write-ahead log, nobody can commit while a database is read: two thirds of the time at
/// least are theirs.
struct RefetchThrottle {
  /// How many times as long as the processor was used the pause is: two threads may read a long list.
  private static let factor = 4

  private var end: ContinuousClock.Instant?

  /// Begins the pause after a fetch.
  ///
  /// - Parameters:
  ///   - time: How long the store was read, by one thread.
  ///   - now: When the fetch ended.
  mutating func begin(after time: ReadingTime, now: ContinuousClock.Instant) {
    end = now + max(time.wall * 2, time.processor * Self.factor)
  }

  /// How long the next fetch should wait; zero if it may begin.
  func remaining(now: ContinuousClock.Instant) -> Duration {
    end.map { max(.zero, $0 - now) } ?? .zero
  }
}
