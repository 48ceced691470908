import ObjectModel
import TerminalKit

/// While another program holds the lock of a store, nothing on this thread waits for it: rows that
/// cannot be read are drawn as waiting, and each drawing tries again.
extension Application {
  /// Milliseconds between two attempts.
  private static let pause = 100

  private var milliseconds: Int { Int(started.duration(to: now()) / .milliseconds(1)) }

  /// Runs something whose reads fail where they would have to wait.
  func withoutWaiting(_ body: () -> Void) {
    FetchControl.$current.withValue(FetchControl(waits: false), operation: body)
  }

  /// Notes whether something that was to be drawn could not be read.
  func noteLock() {
    let isUnread = screens.last?.withChildren.contains(where: \.isUnread) == true
    guard isUnread || FetchControl.current?.hasMetLock == true else {
      lock = nil
      return
    }
    let time = milliseconds
    var next = lock ?? LockPatience(now: time, pause: Self.pause)
    next.fail(now: time)
    lock = next
  }

  /// Whether the lock is still waited for.
  private var isWaiting: Bool {
    lock.map { !isWaitingStopped && !$0.isOver(now: milliseconds) } ?? false
  }

  /// Reads what could not be read before, if it is still waited for.
  func readAgain() {
    guard isWaiting else { return }
    for screen in screens.flatMap(\.withChildren) { screen.readAgain() }
  }

  /// Stops waiting when Esc is pressed.
  ///
  /// - Returns: Whether something was waited for.
  func stopWaiting(_ key: Key) -> Bool {
    guard key == .escape, isWaiting else {
      isWaitingStopped = false
      return false
    }
    isWaitingStopped = true
    return true
  }

  /// Milliseconds until the next attempt; nil for none.
  var lockDelay: Int? { isWaiting ? lock?.delay(now: milliseconds) : nil }

  /// What the status line says while the lock is waited for; nil for nothing.
  var lockLine: String? {
    guard let lock else { return nil }
    guard isWaiting else { return "Locked by another program — any key tries again" }
    return "Locked by another program – \(lock.countdown(now: milliseconds))"
  }
}
