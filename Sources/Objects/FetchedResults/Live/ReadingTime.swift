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
