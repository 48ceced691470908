import ManagedObjects
public import TerminalKit

/// A program in the terminal: a stack of screens with their title, status line, hints, help and
/// keys, and the run loop.
///
/// ``run(_:)`` is a whole program. While the loop waits for a key, other tasks of the main actor
/// wait too: use ``Screen/addTimer(every:_:)``, and for work in the background
/// `PersistentContainer.perform` in a detached task; what it saves is merged at once.
@MainActor
public final class Application: TerminalProgram {
  /// The screens, the one that is shown last.
  public private(set) var screens: [Screen] = []
  package let terminal: any Terminal
  package var overlays: [any Overlay] = []
  package private(set) var exitStatus: Int32?
  /// The text of the status line until the next key; nil for the screen's own.
  var message: StatusLine?
  /// The digits typed before a command.
  private(set) var count = CountPrefix()
  /// The canvas drawn last, by which the mouse finds what it points at.
  var shown: Canvas?
  let look: Look
  /// How long a lock has been waited for that keeps something from being drawn; nil for none.
  var lock: LockPatience?
  /// Whether Esc was pressed since.
  var isWaitingStopped = false
  let started: ContinuousClock.Instant
  private var followers: [ContextFollower] = []
  let now: () -> ContinuousClock.Instant

  /// Creates an application on a terminal; for tests, see `RecordingTerminal`.
  ///
  /// - Parameters:
  ///   - screen: The first screen.
  ///   - terminal: The screen and the keys.
  ///   - now: Returns the current time, for timers.
  public init(
    _ screen: Screen, terminal: any Terminal,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.terminal = terminal
    self.now = now
    started = now()
    look = Look(terminal.capabilities)
    withoutWaiting { push(screen) }
  }

  /// Runs until the user quits or the terminal closes.
  ///
  /// - Returns: The exit status: 0, or 128 and the number of the signal that ended it.
  public func run() -> Int32 {
    update()
    defer { end() }
    return runEventLoop()
  }

  /// The screen that is shown.
  public var screen: Screen? { screens.last }

  /// Shows another screen.
  public func push(_ screen: Screen) {
    self.screen?.didDisappear()
    screens.append(screen)
    screen.application = self
    for part in screen.withChildren { follow(part.managedObjectContext) }
    screen.willAppear()
  }

  /// Returns to the screen below; the first one stays.
  public func pop() {
    guard screens.count > 1, let last = screens.popLast() else { return }
    last.didDisappear()
    last.application = nil
    screen?.willAppear()
  }

  /// Ends the application, without a question about unsaved changes.
  public func terminate() { exitStatus = 0 }

  private func follow(_ context: ManagedObjectContext?) {
    guard let context, !followers.contains(where: { $0.context === context }) else { return }
    followers.append(ContextFollower(context, waker: terminal.waker))
  }

  private func end() {
    for follower in followers { follower.stop() }
    while let screen = screens.popLast() { screen.didDisappear() }
  }

  // MARK: Events

  package func handle(_ event: InputEvent) { withoutWaiting { take(event) } }

  private func take(_ event: InputEvent) {
    switch event {
    case .key(let key): process(key)
    case .paste(let text): _ = pasteIntoOverlay(text)
    case .mouse(let event): process(event)
    case .wake: for screen in screens { screen.takeBackgroundResults() }
    case .resumed: terminal.redraw()
    case .resize: break
    case .terminate, .interrupt, .hangup, .endOfInput: exitStatus = event.exitStatus
    }
    mergeChanges()
  }

  package func process(_ key: Key) {
    if let overlay = overlays.last { return answer(overlay.handle(key), of: overlay) }
    message = nil
    if stopWaiting(key) { return }
    guard let screen, !count.take(key) else { return }
    let number = count.finish()
    if let command = commands(of: screen)[key] {
      command.action(number)
    } else {
      screen.show("\(key.label(look.signs)) does nothing here — ? shows the keys")
    }
  }

  private func process(_ event: MouseEvent) {
    let target = shown?.target(at: event.position)
    if let overlay = overlays.last { return answer(overlay.handle(event, on: target), of: overlay) }
    guard event.kind != .release else { return }
    message = nil
    if case .key(let key) = target {
      if event.kind.isPress { process(key) }
    } else {
      screen?.handle(event)
    }
  }

  /// Merges what others have saved, and shows the lists what was changed here.
  private func mergeChanges() {
    for follower in followers {
      do { try follower.merge() } catch { screen?.show(error) }
    }
  }

  // MARK: Time

  package func update() {
    withoutWaiting {
      runTimers()
      mergeChanges()
      readAgain()
      draw()
    }
  }

  private func runTimers() {
    let time = now()
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

  package var redrawDelay: Int? {
    let time = now()
    let timers = screens.flatMap(\.withChildren).flatMap(\.timers).compactMap(\.due).map { due in
      // Rounded up: an early call would find nothing due.
      max(Int(time.duration(to: due) / .milliseconds(1)) + 1, 0)
    }
    return (timers + [screen?.redrawDelay, lockDelay].compactMap(\.self)).min()
  }

  // MARK: Its own commands

  func commands(of screen: Screen) -> KeyCommandMap {
    KeyCommandMap(screen.keyCommands + ownCommands)
  }

  private var ownCommands: [KeyCommand] {
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

  /// Quits; asks first if there are unsaved changes.
  public func quit() {
    let unsaved = followers.map(\.context).filter(\.hasChanges)
    guard !unsaved.isEmpty, let screen else { return terminate() }
    screen.ask(
      "Quit?", ["There are unsaved changes."],
      answers: [
        (
          "s", "save",
          { [weak self] in
            let isSaved = screen.showingErrors { for context in unsaved { try context.save() } }
            if isSaved { self?.terminate() }
          }
        ),
        ("d", "discard", { [weak self] in self?.terminate() }),
      ])
  }

  private func showHelp() {
    guard let screen else { return }
    let commands = commands(of: screen)
    present(
      HelpOverlay(screen.title, map: commands.help(look.signs)) { index in
        commands.commands[index].action(nil)
      })
  }
}
