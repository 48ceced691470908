import ManagedObjects
import ObjectModel
import TerminalKit

/// While another program holds the lock of a store, nothing on this thread waits for it: rows that
/// cannot be read are drawn as waiting, and each drawing tries again.
extension Application {
  // MARK: Rows that cannot be read

  /// Notes whether another program's lock keeps rows from being read: those that were to be drawn on
  /// this thread, which does not wait, or those that one in the background waits for.
  func noteLock() {
    let isMet =
      FetchControl.current?.hasMetLock == true || isWaitingForLock
      || screen?.withChildren.contains(where: \.isLockedOut) == true
    guard isMet else {
      // Where nothing is tried any more, nothing shows that the lock is gone.
      if let lock, !lock.isAwaited, !isReadable { return }
      if lock != nil { hasLockEnded = true }
      lock = nil
      return
    }
    if lock == nil {
      lock = StoreLock(now: clock())
      dropHeldKeys()
    } else if lock?.fail(now: clock()) == true {
      stopWaiting()
    }
  }

  /// Reads the screens that another program's lock keeps empty, while it is waited for.
  func readUnreadScreens() {
    guard lock?.isAwaited == true else { return }
    for screen in screens.flatMap(\.withChildren) where screen.isLockedOut { screen.readAgain() }
  }

  /// Stops waiting for the lock: rows stay unread until the person tries again.
  private func stopWaiting() {
    lock?.stop()
    for screen in screens { screen.stopReading() }
    message = lockRefusal
  }

  /// What is said once a lock is not waited for any more.
  package var lockRefusal: Message {
    .failed("Locked by another program — \(lockRemedy ?? "any key tries again")")
  }

  /// Stops waiting for a lock at Esc; waits for one again at any other key, where that is the remedy.
  ///
  /// - Returns: Whether the key has done all that it does.
  func tryAgain(_ key: Key) -> Bool {
    guard let lock else { return false }
    if key == .escape, lock.isAwaited {
      stopWaiting()
      return true
    }
    if !lock.isAwaited, lockRemedy == nil { self.lock = nil }
    return false
  }

  /// Reads what could not be read while another program held the lock.
  func followLockEnd() {
    guard hasLockEnded else { return }
    hasLockEnded = false
    if message == lockRefusal { message = nil }
    work {
      lockDidEnd()
      for screen in screens { screen.readAgain() }
      draw()
    }
  }

  /// Drops keys that wait for rows: they must not act on what comes much later.
  private func dropHeldKeys() {
    let count = heldKeys.count
    guard count > 0 else { return }
    heldKeys = []
    message = .failed(
      count == 1 ? "1 key dropped: its row is not read" : "\(count) keys dropped: rows are not read"
    )
  }

  /// Says that a key has done nothing if that is because something could not be read.
  func explainDropped(_ key: Key, screenCount: Int) {
    guard FetchControl.current?.hasMetLock == true, message == nil, retry == nil,
      overlays.isEmpty, screens.count == screenCount
    else { return }
    message = .failed("\(key.label(look.signs)) dropped: the store could not be read")
  }

  // MARK: Work that needs the lock

  /// Does something that needs the store, and does it again while another program holds its lock, with
  /// a countdown in the status line; Esc stops that.
  ///
  /// - Parameters:
  ///   - title: What is done, as “Saving”.
  ///   - refusal: What is said when it is given up, as “Nothing was written”.
  ///   - readCopy: Reads a copy of the store instead; nil where that is no help.
  ///   - body: Does it; it changes nothing if it throws.
  ///   - fail: Handles any error but that of a lock; nil to show it.
  package func persistently(
    _ title: String, refusal: String, readCopy: (() -> Void)? = nil,
    _ body: @escaping () throws -> Void, failed fail: ((any Error) -> Void)? = nil
  ) {
    let earlier = retry
    retry = nil
    do {
      try body()
    } catch {
      guard isLock(error) else { return (fail ?? show)(error) }
      var next = earlier ?? LockRetry(title, refusal: refusal, now: clock())
      next.readCopy = readCopy
      retry = next.next(now: clock()) { [weak self] in
        self?.persistently(title, refusal: refusal, readCopy: readCopy, body, failed: fail)
      }
      if retry == nil { refuse(next) }
    }
  }

  /// Whether an error says that another program holds the lock.
  package func isLock(_ error: any Error) -> Bool {
    error.storeError?.reason == .locked
  }

  /// Tries again if it is time.
  package func retryIfDue() {
    if let retry, retry.patience.isDue(now: clock()) { retry.attempt() }
  }

  /// Handles a key while something is tried again: Esc stops it, and so does what leaves the screen.
  ///
  /// - Returns: Whether the key has done all that it does.
  func handleRetry(_ key: Key) -> Bool {
    guard let retry else { return false }
    if key == .escape {
      self.retry = nil
      refuse(retry)
      return true
    }
    if key == .character("c"), let readCopy = retry.readCopy {
      self.retry = nil
      readCopy()
      return true
    }
    guard let screen, commands(of: screen)[key]?.leavesScreen == true else {
      message = .failed("\(key.label(look.signs)) dropped")
      return true
    }
    self.retry = nil
    refuse(retry)
    return false
  }

  private func refuse(_ retry: LockRetry) {
    message = .failed("\(retry.refusal): locked by another program")
  }

  // MARK: Drawing

  /// What the status line says of a lock; nil for nothing.
  ///
  /// A message goes before it.
  var lockLine: String? {
    let now = clock()
    guard let message else { return retry?.line(now: now) ?? lock?.line(now: now) }
    let note =
      retry.map { "\($0.title): locked – \($0.patience.countdown(now: now))" }
      ?? lock?.note(now: now)
    return note.map { "\(message.text) · \($0)" }
  }
}
