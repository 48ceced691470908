import TerminalKit

/// The lock of another program that keeps rows of the open store from being read.
///
/// Each drawing tries to read them, and that is all that retrying takes.
package struct StoreLock: Hashable {
  /// Milliseconds between two attempts: a shorter time could not be seen.
  private static let pause = 100

  private(set) var patience: LockPatience
  /// Whether it is still waited for: Esc was not pressed, and the time is not over.
  package private(set) var isAwaited = true

  /// Starts waiting; the time is in milliseconds.
  init(now: Int) { patience = LockPatience(now: now, pause: Self.pause) }

  /// Notes that rows are still unread.
  ///
  /// - Parameter now: The time in milliseconds.
  /// - Returns: Whether the time is over now.
  mutating func fail(now: Int) -> Bool {
    guard isAwaited else { return false }
    patience.fail(now: now)
    if patience.isOver(now: now) { isAwaited = false }
    return !isAwaited
  }

  /// Stops waiting.
  mutating func stop() { isAwaited = false }

  /// Milliseconds until the next attempt; nil for none.
  func delay(now: Int) -> Int? { isAwaited ? patience.delay(now: now) : nil }

  /// The status line while it is waited for; nil afterwards.
  func line(now: Int) -> String? {
    isAwaited ? "Locked by another program – \(patience.countdown(now: now))" : nil
  }

  /// What follows a message while it is waited for; nil afterwards.
  func note(now: Int) -> String? {
    isAwaited ? "locked – \(patience.countdown(now: now))" : nil
  }
}
