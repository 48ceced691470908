package import Foundation
import ManagedObjects
import ObjectModel
import Synchronization
package import TerminalKit

/// The application: a stack of screens over one context, driven by the events of a terminal.
///
/// It waits for an event, handles it, and draws once; while idle it uses no CPU time. Background
/// work leaves its results behind a lock and wakes the terminal.
package final class App: TerminalProgram {
  package let terminal: any Terminal
  /// The state that the screens of the open store share.
  private(set) var session: Session
  let program: ProgramServices
  private let now: () -> Date
  /// The store of the command line, until it can be opened.
  private let locked: LockedStore?
  var screens: [any Screen] = []
  package var overlays: [any Overlay] = []
  /// The digits typed before a motion.
  var count = CountPrefix()
  /// Set when another process has committed, until the change was read.
  let foreignChange = ForeignChange()
  /// What waits until another program releases its lock on the store.
  var retry: LockRetry?
  /// Whether rows can be read again, and what could not be read before is still to be.
  var hasLockEnded = false
  /// The canvas drawn last, by which the mouse finds what it points at.
  var shown: Canvas?
  /// The work that is being done on this thread; nil while waiting for an event.
  var watchedWork: WatchedWork?
  /// The export that is under way; nil for none.
  weak var export: (any BackgroundWork)?
  private var observation: StoreObservation?
  package private(set) var exitStatus: Int32?
  /// Whether the first steps are shown, until the first key.
  var showsFirstSteps: Bool

  /// Makes the application.
  ///
  /// - Parameters:
  ///   - terminal: The screen and the keys.
  ///   - store: The open store; nil to let the person choose one.
  ///   - locked: A store to be opened once another program has released its lock; nil for none.
  ///   - options: The command line's options.
  ///   - program: Files, other stores and the clipboard.
  ///   - now: Returns the current time, for ages of dates.
  package init(
    terminal: any Terminal, store: StoreAccess?, locked: LockedStore? = nil, options: AppOptions,
    program: ProgramServices = ProgramServices(), now: @escaping () -> Date = { Date() }
  ) {
    self.terminal = terminal
    self.program = program
    self.now = now
    self.locked = locked
    showsFirstSteps = options.isFirstStart
    session = Session(
      store ?? .empty, options: options, clipboard: Clipboard(terminal, tool: program.copy),
      waker: terminal.waker, look: Look(Self.capabilities(of: terminal, options.settings)),
      now: now)
  }

  /// Runs until the user quits or the terminal closes.
  ///
  /// - Returns: The exit code: 0, or 128 and the number of the signal that ended it.
  package func run() -> Int32 {
    watched {
      start()
      if let locked { open(locked, asCopy: false) }
      draw()
    }
    defer { end() }
    return runEventLoop()
  }

  /// Opens the first screen and observes the store.
  func start() {
    observeStore()
    openFirstScreen()
    session.tellStateProblem()
    if let problem = session.options.settingsProblem { session.message = .failed(problem) }
    showNotes()
  }

  /// Shows another store, or the same one opened anew; its screens are the caller's to push.
  func replaceStore(_ store: StoreAccess, options: AppOptions) {
    end()
    (overlays, retry, count) = ([], nil, CountPrefix())
    session = Session(
      store, options: options, clipboard: session.clipboard, waker: terminal.waker,
      look: session.look, now: now)
  }

  /// Follows the commits of other processes, and what screens ask for.
  func observeStore() {
    session.app = self
    let (flag, waker) = (foreignChange, session.waker)
    observation = session.store.observeForeignChanges {
      flag.set()
      waker.wake()
    }
    session.services.observeLockWaits { waker.wake() }
  }

  /// Stops background work.
  func end() {
    observation?.cancel()
    session.jobs.stop()
    while let screen = screens.popLast() { screen.disappear(isLeft: true) }
  }

  /// Ends the loop.
  func finish(_ code: Int32 = 0) { exitStatus = code }

  var screen: (any Screen)? { screens.last }

  // MARK: Events

  /// Handles an event; reading can be stopped while it does.
  package func handle(_ event: InputEvent) { watched { process(event) } }

  /// Draws what the events have changed.
  package func update() {
    watched {
      retryIfDue()
      takeForeignChange()
      screen?.catchUp()
      draw()
    }
    followLockEnd()
  }

  /// Handles an event.
  func process(_ event: InputEvent) {
    defer { releaseHeldKeys() }
    switch event {
    case .key(let key): process(key)
    case .paste(let text): paste(text)
    case .mouse(let event): process(event)
    case .wake: takeResults()
    case .resumed: terminal.redraw()
    case .resize: break
    case .terminate, .interrupt, .hangup, .endOfInput: finish(event.exitStatus ?? 0)
    }
  }

  package func process(_ key: Key) {
    if retry != nil {
      session.clearMessage()
      if handleRetry(key) { return }
    }
    if let overlay = overlays.last { return answer(overlay.handle(key), of: overlay) }
    session.clearMessage()
    showsFirstSteps = false
    if key == .escape, session.lock?.isAwaited == true { return stopWaiting() }
    if key == .escape, session.jobs.cancelLast() { return }
    guard let screen, !screen.intercept(key), !count.take(key) else { return }
    let number = count.finish()
    guard let action = keys(of: screen)[key] else {
      session.message = .done("\(key) does nothing here — ? shows the keys")
      return
    }
    if drop(key, for: action, count: number, on: screen) { return }
    if screen.hold(key, for: action, count: number) { return }
    let screenCount = screens.count
    perform(action, count: number)
    explainDropped(key, screenCount: screenCount)
  }

  /// Processes the keys that have waited for rows.
  private func releaseHeldKeys() {
    guard overlays.isEmpty, retry == nil else { return }
    for key in screen?.takeHeldKeys() ?? [] {
      process(key)
      // A key typed before the dialog was drawn must not answer it.
      if overlays.last?.dropsTypeAhead == true { return }
    }
  }

  /// Pastes into the last overlay, or into the screen.
  private func paste(_ text: String) {
    guard !pasteIntoOverlay(text), screen?.paste(text) == false else { return }
    session.message = .done("Nothing here takes pasted text — / and e open a line that does")
  }

  private func takeForeignChange() {
    if foreignChange.take() { followForeignChange() }
  }

  private func takeResults() {
    takeForeignChange()
    session.jobs.takeResults()
    for screen in screens { screen.takeResults() }
  }
}
