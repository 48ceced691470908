package import Foundation
import ManagedObjects
import ObjectModel
package import TerminalApplications
package import TerminalKit

/// The application: screens over one context.
package final class App: Application {
  /// The state that the screens of the open store share.
  private(set) var session: Session
  let program: ProgramServices
  private let date: () -> Date
  /// The store of the command line, until it can be opened.
  private let locked: LockedStore?
  /// Merges the commits of other processes; nil until a store is shown.
  private(set) var follower: ContextFollower?
  /// The export that is under way; nil for none.
  weak var export: (any BackgroundWork)?
  /// Whether the first steps are shown, until the first key.
  private var showsFirstSteps: Bool

  /// Makes the application.
  ///
  /// - Parameters:
  ///   - terminal: The screen and the keys.
  ///   - store: The open store; nil to let the person choose one.
  ///   - locked: A store to be opened once another program has released its lock; nil for none.
  ///   - options: The command line's options.
  ///   - program: Files, other stores and the clipboard.
  ///   - date: Returns the current time, for ages of dates.
  package init(
    terminal: any Terminal, store: StoreAccess?, locked: LockedStore? = nil, options: AppOptions,
    program: ProgramServices = ProgramServices(), date: @escaping () -> Date = { Date() }
  ) {
    self.program = program
    self.date = date
    self.locked = locked
    showsFirstSteps = options.isFirstStart
    session = Session(
      store ?? .empty, options: options, clipboard: Clipboard(terminal, tool: program.copy),
      waker: terminal.waker, now: date)
    super.init(terminal: terminal)
    session.app = self
    longMessageNote = " … :messages"
    applySettings()
  }

  /// Runs until the user quits or the terminal closes.
  ///
  /// - Returns: The exit code: 0, or 128 and the number of the signal that ended it.
  package override func run() -> Int32 {
    work {
      start()
      if let locked { open(locked, asCopy: false) }
    }
    defer { end() }
    return super.run()
  }

  /// Opens the first screen and observes the store.
  func start() {
    observeStore()
    openFirstScreen()
    session.tellStateProblem()
    if let problem = session.options.settingsProblem { fail(problem) }
    showNotes()
    offerMigration()
  }

  /// Shows another store, or the same one opened anew; its screens are the caller's to push.
  func replaceStore(_ store: StoreAccess, options: AppOptions) {
    end()
    (overlays, retry, count, lock, message) = ([], nil, CountPrefix(), nil, nil)
    findHistory = []
    session = Session(
      store, options: options, clipboard: session.clipboard, waker: terminal.waker, now: date)
    session.app = self
  }

  /// Follows the commits of other processes.
  func observeStore() {
    let waker = session.waker
    follower = ContextFollower(session.context, waker: waker)
    session.services.observeLockWaits { waker.wake() }
  }

  /// Stops background work.
  func end() {
    follower?.stop()
    session.jobs.stop()
    removeScreens()
  }

  /// Applies what settings are to the terminal.
  func applySettings() {
    let settings = session.options.settings
    var capabilities = terminal.capabilities
    // No more colours than the settings allow.
    capabilities.colorSupport = min(
      capabilities.colorSupport, settings.colors ?? capabilities.colorSupport)
    capabilities.background = settings.background ?? capabilities.background
    (look, colorLimit, usesMouse) = (Look(capabilities), settings.colors, settings.usesMouse)
    for (name, path) in Theme.elements {
      if let style = settings.styles[name] { look.theme[keyPath: path] = style }
    }
  }

  package override func updateLook() { applySettings() }

  // MARK: Application

  /// None: the key table of each screen has those of the application too.
  package override var keyCommands: [KeyCommand] { [] }

  package override func key(standingFor key: Key) -> Key? {
    guard let action = (screen as? BrowserScreen)?.keys.action(of: key) else { return key }
    return session.key(of: action)
  }

  package override var busy: BusyLine? { session.jobs.busyLine }

  package override func takeBackgroundResults() {
    session.jobs.takeResults()
    session.tellTrouble()
    super.takeBackgroundResults()
  }

  package override func mergeChanges() {
    do {
      guard let change = try follower?.merge() else { return }
      session.noteForeignCommit(change)
    } catch {
      session.report(error)
      // It is tried again while a lock keeps the store from being read.
      if FetchControl.current?.hasMetLock == true { return }
      _ = follower?.foreignChange.take()
    }
    for screen in screens { (screen as? BrowserScreen)?.storeChanged() }
  }

  package override func show(_ error: any Error) { session.report(error) }

  package override func clearMessage() {
    super.clearMessage()
    session.forgetOutsideChange()
  }

  package override func intercept(_ key: Key) -> Bool {
    showsFirstSteps = false
    return key == .escape && session.jobs.cancelLast()
  }

  package override func drawOverScreen(in canvas: inout Canvas) {
    if showsFirstSteps { drawFirstSteps(in: &canvas) }
  }

  package override func quit() { askToQuit() }

  package override func didDraw() { session.didShow() }

  // MARK: Locks

  package override var isWaitingForLock: Bool { session.services.isWaitingForLock() }

  package override var isReadable: Bool { session.isReadable }

  package override func lockDidEnd() {
    follower?.foreignChange.set()
    mergeChanges()
    rebuildProvisionalScreens()
  }

  package override var lockRemedy: String? {
    [session.keyName(of: .refresh).map { "\($0) tries again" }, ":copy reads a copy"]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// Makes the lists anew whose columns and order were chosen without having seen a row.
  private func rebuildProvisionalScreens() {
    for (index, screen) in screens.enumerated() {
      if let list = (screen as? ListScreen)?.chosenAnew() {
        replaceScreen(at: index, with: list)
      }
    }
  }

  // MARK: Messages

  /// Shows the messages of this run, the latest first.
  func showMessages() {
    let lines = messages.reversed().map { "\(look.signs.separator) \(look.signs.own($0.text))" }
    present(TextOverlay("Messages", lines: lines.isEmpty ? ["There was no message yet"] : lines))
  }
}
