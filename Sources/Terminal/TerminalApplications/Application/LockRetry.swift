package import TerminalKit

/// Something that is tried again for a while, because another program holds the lock of the store.
package struct LockRetry {
  /// Milliseconds between two attempts: a large save takes its time, too.
  private static let pause = 1_000

  /// What is done, as “Saving”.
  let title: String
  /// What is said when it is given up, as “Nothing was written”.
  let refusal: String
  package private(set) var patience: LockPatience
  /// Tries again.
  package private(set) var attempt: () -> Void = {}
  /// Reads a copy of the store instead; nil where that is no help.
  var readCopy: (() -> Void)?

  /// Starts waiting.
  ///
  /// - Parameters:
  ///   - title: What is done.
  ///   - refusal: What is said when it is given up.
  ///   - now: The time in milliseconds.
  init(_ title: String, refusal: String, now: Int) {
    self.title = title
    self.refusal = refusal
    patience = LockPatience(now: now, pause: Self.pause)
  }

  /// The state until the next attempt; nil if it is time to give up.
  func next(now: Int, attempt: @escaping () -> Void) -> LockRetry? {
    guard !patience.isOver(now: now) else { return nil }
    var next = self
    next.patience.fail(now: now)
    next.attempt = attempt
    return next
  }

  /// The status line while it waits.
  func line(now: Int) -> String {
    let countdown = patience.countdown(now: now)
    // The title is the name of the store that was just given.
    if readCopy != nil { return "Locked by another program – c reads a copy, \(countdown)" }
    return "\(title): locked by another program – \(countdown)"
  }
}
