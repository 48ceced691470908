import ManagedObjects
import ObjectModel
import TerminalKit

extension App {
  // MARK: Rows that cannot be read

  /// Notes whether another program's lock keeps rows from being read: those that were to be drawn on
  /// this thread, which does not wait, or those that one in the background waits for.
  func noteLock() {
    let isMet =
      FetchControl.current?.hasMetLock == true || session.services.isWaitingForLock()
    guard isMet else {
      // Where nothing is tried any more, nothing shows that the lock is gone.
      if let lock = session.lock, !lock.isAwaited, !session.isReadable { return }
      if session.lock != nil { hasLockEnded = true }
      session.lock = nil
      return
    }
    if session.lock == nil {
      session.lock = StoreLock(now: clock())
      dropHeldKeys()
    } else if session.lock?.fail(now: clock()) == true {
      stopWaiting()
    }
  }

  /// Stops waiting for the lock: rows stay unread until `R`.
  func stopWaiting() {
    session.lock?.stop()
    for screen in screens { screen.stopReading() }
    session.message = .failed(StoreLock.refusal)
  }

  /// Reads what could not be read while another program held the lock.
  func followLockEnd() {
    guard hasLockEnded else { return }
    hasLockEnded = false
    if session.message?.text == StoreLock.refusal { session.message = nil }
    watched {
      followForeignChange()
      rebuildProvisionalScreens()
      for screen in screens { screen.readAgain() }
      draw()
    }
  }

  /// Makes the lists anew whose columns and order were chosen without having seen a row.
  private func rebuildProvisionalScreens() {
    for (index, screen) in screens.enumerated() {
      guard let list = (screen as? ListScreen)?.chosenAnew() else { continue }
      screen.disappear(isLeft: true)
      screens[index] = list
      if index == screens.count - 1 { list.appear() }
    }
  }

  /// Drops keys that wait for rows: they must not act on what comes much later.
  private func dropHeldKeys() {
    let count = screen?.dropHeldKeys() ?? 0
    guard count > 0 else { return }
    session.message = .failed(
      count == 1 ? "1 key dropped: its row is not read" : "\(count) keys dropped: rows are not read"
    )
  }

  /// Drops a key that would act on a row that is not read.
  ///
  /// - Returns: Whether it was dropped.
  func drop(_ key: Key, for action: Action, count: Int?, on screen: any Screen) -> Bool {
    let awaitsRows = session.lock != nil && screen.awaitsRow(for: action)
    guard awaitsRows || screen.isUnread(for: action, count: count) else { return false }
    session.message = .failed("\(key.label(session.look.signs)) dropped: its row is not read")
    return true
  }

  /// Says that a key has done nothing if that is because something could not be read.
  func explainDropped(_ key: Key, screenCount: Int) {
    guard FetchControl.current?.hasMetLock == true, session.message == nil, retry == nil,
      overlays.isEmpty, screens.count == screenCount
    else { return }
    session.message = .failed(
      "\(key.label(session.look.signs)) dropped: the store could not be read")
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
  ///   - fail: Handles any error but that of a lock; nil to report it.
  func persistently(
    _ title: String, refusal: String, readCopy: (() -> Void)? = nil,
    _ body: @escaping () throws -> Void, failed fail: ((any Error) -> Void)? = nil
  ) {
    let earlier = retry
    retry = nil
    do {
      try body()
    } catch {
      guard isLock(error) else { return (fail ?? session.report)(error) }
      var next = earlier ?? LockRetry(title, refusal: refusal, now: clock())
      next.readCopy = readCopy
      retry = next.next(now: clock()) { [weak self] in
        self?.persistently(title, refusal: refusal, readCopy: readCopy, body, failed: fail)
      }
      if retry == nil { refuse(next) }
    }
  }

  /// Whether an error says that another program holds the lock.
  func isLock(_ error: any Error) -> Bool {
    error.storeError?.reason == .locked
  }

  /// Tries again if it is time.
  func retryIfDue() {
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
    switch screen.flatMap({ keys(of: $0)[key] }) {
    case .quit, .quitProgram, .back:
      self.retry = nil
      refuse(retry)
      return false
    default:
      session.message = .failed("\(key.label(session.look.signs)) dropped")
      return true
    }
  }

  private func refuse(_ retry: LockRetry) {
    session.message = .failed("\(retry.refusal): locked by another program")
  }

  // MARK: Drawing

  /// What the status line says of a lock; nil for nothing.
  ///
  /// A message goes before it.
  var lockLine: String? {
    let now = clock()
    guard let message = session.message else {
      return retry?.line(now: now) ?? session.lock?.line(now: now)
    }
    let note =
      retry.map { "\($0.title): locked – \($0.patience.countdown(now: now))" }
      ?? session.lock?.note(now: now)
    return note.map { "\(message.text) · \($0)" }
  }
}
