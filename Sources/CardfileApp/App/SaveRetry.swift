import TerminalKit

/// A save that another program's lock keeps waiting: it is tried again, for a while.
struct SaveRetry {
  /// Milliseconds between two attempts.
  private static let pause = 1000
  /// Milliseconds after which it is given up.
  private static let patience = 30_000

  private let deadline: Int
  private var due: Int
  /// Tries again.
  private(set) var attempt: () -> Void = {}

  /// Begins to wait.
  ///
  /// - Parameter now: The time in milliseconds.
  init(now: Int) {
    deadline = now + Self.patience
    due = now
  }

  /// The wait for the next attempt; nil when it is time to give up.
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

  /// What is said meanwhile.
  func busyLine(now: Int) -> BusyLine {
    let seconds = max((deadline - now + 999) / 1000, 0)
    return BusyLine("Another program holds the store, retrying for \(seconds) s")
  }
}
