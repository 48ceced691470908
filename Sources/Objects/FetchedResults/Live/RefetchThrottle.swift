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

#if canImport(Glibc)
  import Glibc
#else
  import Foundation
#endif

/// How long a store was read: by the clock, and in processor time of the reading thread.
///
/// On a busy machine the thread waits for most of the time.
struct ReadingTime: Hashable {
  var wall = Duration.zero
  var processor = Duration.zero

  /// The times of the calling thread until now.
  static var ofThread: ReadingTime {
    ReadingTime(wall: time(of: CLOCK_MONOTONIC), processor: time(of: CLOCK_THREAD_CPUTIME_ID))
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Adds the time from one moment of a thread to another.
  mutating func add(from start: ReadingTime, to end: ReadingTime) {
    wall += end.wall - start.wall
    processor += end.processor - start.processor
  }
}
