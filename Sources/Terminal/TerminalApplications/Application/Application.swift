import ManagedObjects
import ObjectModel
public import TerminalKit

/// A program in the terminal: a stack of screens with their title, status line, hints, help and
/// keys, and the run loop.
///
/// `Application.run { … }` of NcursesApplications is a whole program. While the loop waits for a key,
/// other tasks of the main actor wait too: use ``Screen/addTimer(every:_:)``, and for work in the
/// background `PersistentContainer.perform` in a detached task; what it saves is merged at once.
///
/// It waits for an event, handles it, and draws once for a burst of them; while idle it uses no CPU
/// time. Background work leaves its results behind a lock and wakes the terminal.
@MainActor
open class Application {
  package let terminal: any Terminal
  /// The screens, the one that is shown last.
  package private(set) var screens: [Screen] = []
  /// The views over the screen; the last one handles the keys.
  package var overlays: [any Overlay] = []
  /// The exit status; nil while the program runs.
  package private(set) var exitStatus: Int32?
  /// The styles and signs of the terminal.
  package var look: Look
  /// The most colours that are shown; nil for those of the terminal.
  package var colorLimit: ColorSupport?
  /// Whether the mouse is followed.
  package var usesMouse = true
  /// The text of the status line until the next key; nil for the screen's own.
  package var message: Message? {
    didSet {
      guard let message, message != oldValue else { return }
      messages = (messages + [message]).suffix(Self.mostMessages)
    }
  }
  /// The messages of this run, the oldest first.
  package private(set) var messages: [Message] = []
  private static let mostMessages = 200
  /// What follows a message that is too long to be shown whole.
  package var longMessageNote = ""
  /// The texts looked for on all screens, the oldest first.
  package var findHistory: [String] = []
  /// The digits typed before a command.
  package var count = CountPrefix()
  /// Keys that wait for the row that they are to act on.
  package var heldKeys: [Key] = []
  /// The size of the screen that was drawn last.
  package var size = Size(width: 80, height: 24)
  /// The canvas drawn last, by which the mouse finds what it points at.
  var shown: Canvas?
  /// The work that is being done on this thread; nil while waiting for an event.
  var watchedWork: WatchedWork?
  /// The lock of another program that keeps rows from being read; nil for none.
  package var lock: StoreLock?
  /// What waits until another program releases its lock on the store.
  package var retry: LockRetry?
  /// Whether rows can be read again, and what could not be read before is still to be.
  var hasLockEnded = false
  private var followers: [ContextFollower] = []
  /// Milliseconds by a clock that never goes back; tests set their own.
  package var clock: () -> Int

  /// Creates an application without a screen.
  package init(terminal: any Terminal, now: @escaping () -> ContinuousClock.Instant = { .now }) {
    self.terminal = terminal
    look = Look(terminal.capabilities)
    let started = now()
    clock = { Int(started.duration(to: now()) / .milliseconds(1)) }
  }

  /// Creates an application on a terminal; for tests, see `RecordingTerminal`.
  ///
  /// - Parameters:
  ///   - screen: The first screen.
  ///   - terminal: The screen and the keys.
  ///   - now: Returns the current time, for timers.
  public convenience init(
    _ screen: Screen, terminal: any Terminal,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.init(terminal: terminal, now: now)
    work { push(screen) }
  }

  // MARK: Running

  /// Runs until the user quits or the terminal closes.
  ///
  /// - Returns: The exit status: 0, or 128 and the number of the signal that ended it.
  open func run() -> Int32 {
    update()
    defer {
      for follower in followers { follower.stop() }
      removeScreens()
    }
    while true {
      if let event = terminal.nextEvent(timeoutMilliseconds: redrawDelay) {
        handle(event)
        // A burst of keys is drawn once.
        while exitStatus == nil, let next = terminal.nextEvent(timeoutMilliseconds: 0) {
          handle(next)
        }
      }
      if let exitStatus { return exitStatus }
      update()
    }
  }

  /// Ends the application, without a question about unsaved changes.
  package func terminate() { exitStatus = 0 }

  /// Does what is due, and draws what the events have changed.
  package func update() {
    work {
      retryIfDue()
      runTimers()
      mergeChanges()
      readUnreadScreens()
      screen?.catchUp()
      draw()
    }
    followLockEnd()
  }

  /// Handles an event; reading can be stopped while it does.
  package func handle(_ event: InputEvent) {
    work {
      switch event {
      case .key(let key): process(key)
      case .paste(let text): paste(text)
      case .mouse(let event): process(event)
      case .wake: takeBackgroundResults()
      case .resumed: terminal.redraw()
      case .resize: break
      case .background: updateLook()
      case .terminate, .interrupt, .hangup, .endOfInput: exitStatus = event.exitStatus
      }
      mergeChanges()
      releaseHeldKeys()
    }
  }

  /// Chooses styles and signs by what the terminal can show.
  open func updateLook() { look = Look(terminal.capabilities) }

  /// Called when background work has results to show.
  open func takeBackgroundResults() {
    for screen in screens { screen.takeBackgroundResults() }
  }

  /// What is to be done once a lock is no longer waited for; nil where any key tries again.
  open var lockRemedy: String? { nil }

  /// The key that does what a key does by default, for messages; nil if none does.
  open func key(standingFor key: Key) -> Key? { key }

  /// Whether a thread in the background waits for another program's lock.
  open var isWaitingForLock: Bool { false }

  /// Whether the store can be read, after a lock was given up.
  open var isReadable: Bool { true }

  /// Called when rows that a lock kept from being read can be read again.
  open func lockDidEnd() {}

  /// Merges what others have saved, and shows the lists what was changed here.
  open func mergeChanges() {
    for follower in followers {
      do { _ = try follower.merge() } catch { show(error) }
    }
  }

  // MARK: Keys

  /// The commands that work on every screen; they go before those of the screen.
  open var keyCommands: [KeyCommand] {
    let isFirst = screens.count < 2
    return [
      KeyCommand(.control("l"), section: .view, help: "redraw") { [weak self] in
        self?.terminal.redraw()
      },
      KeyCommand(.control("z"), section: .other, help: "suspend") { [weak self] in
        self?.terminal.suspend()
      },
      KeyCommand(
        "q", section: .other, help: isFirst ? "quit" : "back", hint: isFirst ? "quit" : "back"
      ) { [weak self] in isFirst ? self?.quit() : self?.pop() },
      KeyCommand("Q", .control("c"), section: .other, help: "quit") { [weak self] in
        self?.quit()
      },
      KeyCommand("?", .function(1), section: .other, help: "help", hint: "help") { [weak self] in
        self?.showHelp()
      },
    ]
  }

  /// Handles a key before the screen does, where no overlay handles it.
  ///
  /// - Returns: Whether it needs no further handling.
  open func intercept(_ key: Key) -> Bool { false }

  /// Removes the message when a key is pressed.
  open func clearMessage() { message = nil }

  /// Says in the status line, until the next key, that something was done.
  package func say(_ text: String) { message = .done(text) }

  /// Says in the status line, until the next key, that something failed or cannot be done.
  package func fail(_ text: String) { message = .failed(text) }

  /// Adds a text that was looked for to the history.
  package func rememberFound(_ text: String) {
    guard !text.isEmpty else { return }
    findHistory.removeAll { $0 == text }
    findHistory = (findHistory + [text]).suffix(100)
  }

  /// Shows an error in the status line until the next key.
  open func show(_ error: any Error) { message = .failed(StatusLine.text(of: error)) }

  // MARK: Screens

  /// The screen that is shown.
  public var screen: Screen? { screens.last }

  /// Shows another screen.
  package func push(_ screen: Screen) {
    self.screen?.didDisappear()
    heldKeys = []
    screens.append(screen)
    screen.application = self
    for part in screen.withChildren { follow(part.managedObjectContext) }
    screen.willAppear()
    // Keys that are typed ahead need its lines and its size.
    if screens.count > 1 { draw() }
  }

  /// Returns to the screen below; the first one stays.
  package func pop() { if screens.count > 1 { pop(to: screens.count - 2) } }

  /// Returns to a screen by its index.
  package func pop(to index: Int) {
    heldKeys = []
    while screens.count > index + 1 { close(screens.removeLast()) }
    screen?.willAppear()
  }

  /// Shows a screen in place of another one.
  package func replaceScreen(at index: Int, with screen: Screen) {
    close(screens[index])
    screens[index] = screen
    screen.application = self
    if index == screens.count - 1 { screen.willAppear() }
  }

  /// Removes all screens.
  package func removeScreens() {
    while let last = screens.popLast() { close(last) }
  }

  private func close(_ screen: Screen) {
    screen.didDisappear()
    screen.didClose()
    screen.application = nil
  }

  private func follow(_ context: ManagedObjectContext?) {
    guard let context, !followers.contains(where: { $0.context === context }) else { return }
    followers.append(ContextFollower(context, waker: terminal.waker))
  }

  // MARK: Overlays

  /// Shows an overlay.
  package func present(_ overlay: any Overlay) {
    overlays.append(overlay)
    guard overlay.dropsTypeAhead else { return }
    // A key typed before the dialog was drawn must not answer it. Dropped before it is drawn, so that
    // no key is that answers what is seen.
    terminal.flushTypeAhead()
    draw()
  }

  /// Asks a question; Enter and Esc choose `cancel`, which is added to the answers.
  ///
  /// - Parameters:
  ///   - title: The question.
  ///   - lines: What there is to know about it.
  ///   - answers: The key, the label and the action of each answer.
  package func ask(
    _ title: String, _ lines: [String],
    answers: [(key: Character, label: String, action: () -> Void)]
  ) {
    present(
      QuestionOverlay(
        title, lines: lines.map { Dialog.Line($0) },
        answers: answers.map { .init(key: $0.key, label: $0.label, action: $0.action) }))
  }

  /// Carries out the reply of an overlay; what that presents stays.
  func answer(_ reply: OverlayReply, of overlay: any Overlay) {
    switch reply {
    case .stay: break
    case .close: overlays.removeAll { $0 === overlay }
    case .perform(let action):
      overlays.removeAll { $0 === overlay }
      action()
    case .present(let overlay): present(overlay)
    }
  }

  // MARK: Drawing

  /// Draws over the screen, where no overlay is shown.
  open func drawOverScreen(in canvas: inout Canvas) {}

  /// Called when the screen was drawn.
  open func didDraw() {}

  /// The progress of the application's own work in the background, in place of the status line.
  open var busy: BusyLine? { nil }

  // MARK: Time

  private func runTimers() {
    let time = clock()
    for screen in screens.flatMap(\.withChildren) {
      for index in screen.timers.indices {
        let timer = screen.timers[index]
        guard let due = timer.due, due > time else {
          screen.timers[index].due = time + timer.interval
          if timer.due != nil { timer.action() }
          continue
        }
      }
    }
  }

  /// Milliseconds until the next ``update()`` without an event; nil for never.
  package var redrawDelay: Int? {
    let now = clock()
    let timers = screens.flatMap(\.withChildren).flatMap(\.timers).compactMap(\.due)
      .map { max($0 - now, 0) }
    let others = [
      screen?.redrawDelay, retry?.patience.delay(now: now), lock?.delay(now: now),
      busy == nil ? nil : BusyLine.frameDuration,
    ]
    return (timers + others.compactMap(\.self)).min()
  }

  // MARK: Quitting

  /// Quits; asks first if there are unsaved changes.
  open func quit() {
    let unsaved = followers.map(\.context).filter(\.hasChanges)
    guard !unsaved.isEmpty else { return terminate() }
    let save = { [weak self] in
      do {
        for context in unsaved { try context.save() }
        self?.terminate()
      } catch {
        self?.show(error)
      }
    }
    ask(
      "Quit?", ["There are unsaved changes."],
      answers: [("s", "save", save), ("d", "discard", { [weak self] in self?.terminate() })])
  }
}

extension InputEvent {
  /// The exit status of a program that the event ends: 0, or 128 and the number of the signal; nil
  /// for all other events.
  fileprivate var exitStatus: Int32? {
    switch self {
    case .terminate: 128 + 15
    case .interrupt: 128 + 2
    case .hangup: 128 + 1
    case .endOfInput: 0
    default: nil
    }
  }
}
