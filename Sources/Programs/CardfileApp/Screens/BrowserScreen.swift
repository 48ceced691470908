import TerminalApplications

/// A screen of the program: it shares a session with the others, and its keys are those of a table.
class BrowserScreen: Screen {
  /// The state that all screens share.
  let session: Session

  init(title: String, session: Session) {
    self.session = session
    super.init(title: title)
  }

  /// The application that shows the screen.
  var app: App? { session.app }

  /// The key bindings.
  var keys: KeyTable { KeyTable(name: "", hinting: [], entries: []) }

  /// The actions that the hint line names now; by default those of ``keys``.
  var hintedActions: [Action] { keys.hintedActions }

  /// Whether it shows one object, which is what its actions are about.
  var isPage: Bool { false }

  /// Whether background work is under way.
  var isWorking: Bool { false }

  /// Performs an action; a subclass leaves to its superclass what means the same on every screen.
  func perform(_ action: Action, count: Int?) { app?.performShared(action) }

  /// Called after another process changed the store and the context was refreshed.
  func storeChanged() {}

  /// The commands of ``keys``, as the settings bind them.
  override var keyCommands: [KeyCommand] {
    keys.rebound(session.options.settings.keys).commands(
      hinting: hintedActions, isReadOnly: session.readOnlyReason != nil, isPage: isPage
    ) { [weak self] in self?.perform($0, count: $1) }
  }
}
