import TerminalKit

/// A save that is tried again for a while, because another program holds the lock of the store.
struct SaveRetry {
  /// Milliseconds between two attempts.
  private static let pause = 1000
  /// Milliseconds after which it gives up.
  private static let patience = 30_000

  private let deadline: Int
  private var due: Int
  /// Tries again.
  private(set) var attempt: () -> Void = {}

  /// Starts waiting.
  ///
  /// - Parameter now: The time in milliseconds.
  init(now: Int) {
    deadline = now + Self.patience
    due = now
  }

  /// The state until the next attempt; nil if it is time to give up.
  func next(now: Int, attempt: @escaping () -> Void) -> SaveRetry? {
    guard now < deadline else { return nil }
    var next = self
    next.due = now + Self.pause
    next.attempt = attempt
    return next
  }

  /// Whether it is time to try again.
  func isDue(now: Int) -> Bool { now >= due }

  /// Milliseconds until the screen must be drawn again.
  func delay(now: Int) -> Int { min(max(due - now, 0), BusyLine.frameDuration) }

  /// The status line while it waits.
  func busyLine(now: Int) -> BusyLine {
    let seconds = max((deadline - now + 999) / 1000, 0)
    return BusyLine("Another program holds the store, retrying for \(seconds) s")
  }
}
