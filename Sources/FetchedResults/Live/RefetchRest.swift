/// Leaves other programs room to write between two whole fetches that follow their commits.
///
/// Where a database has no write-ahead log, nobody can commit while it is read. A fetch of a small list is over at once;
/// one of a million rows, made again after each commit, would keep a busy writer out.
struct RefetchRest {
  /// For each moment of reading, so many of rest.
  private static let share = 4

  private var end: ContinuousClock.Instant?

  /// Says that a fetch is over.
  ///
  /// - Parameters:
  ///   - duration: How long the store was read.
  ///   - now: The moment at which it ended.
  mutating func begin(after duration: Duration, now: ContinuousClock.Instant) {
    end = now + duration * Self.share
  }

  /// How long the next fetch should wait; zero when it may begin.
  func left(now: ContinuousClock.Instant) -> Duration {
    end.map { max(.zero, $0 - now) } ?? .zero
  }
}
