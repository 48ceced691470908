/// How long another program's lock is waited for, with a countdown, and when to try again.
///
/// Nothing sleeps meanwhile: the event loop comes back when it is time.
package struct LockPatience: Hashable {
  /// Milliseconds after which it is given up.
  private static let limit = 30_000

  /// Milliseconds between two attempts.
  package let pause: Int
  private let deadline: Int
  package private(set) var due: Int

  /// Starts waiting.
  ///
  /// - Parameters:
  ///   - now: The time in milliseconds.
  ///   - pause: Milliseconds between two attempts.
  package init(now: Int, pause: Int) {
    self.pause = pause
    deadline = now + Self.limit
    due = now + pause
  }

  /// Notes an attempt that has failed.
  package mutating func fail(now: Int) { due = now + pause }

  /// Whether it is time to give up.
  package func isOver(now: Int) -> Bool { now >= deadline }

  /// Whether it is time to try again.
  package func isDue(now: Int) -> Bool { now >= due }

  /// Milliseconds until the screen must be drawn again.
  package func delay(now: Int) -> Int { min(max(due - now, 0), 100) }

  /// The countdown, as “retrying, 27s, Esc stops”.
  package func countdown(now: Int) -> String {
    "retrying, \(max((deadline - now + 999) / 1000, 0))s, Esc stops"
  }
}
