import TerminalApplications
import TerminalKit

/// A screen of the program: it shares a session with the others, and its keys are those of a table.
///
/// A protocol, because a list has the library's ``TerminalApplications/ListScreen`` as its class.
protocol BrowserScreen: Screen {
  /// The state that all screens share.
  var session: Session { get }
  /// The key bindings; the class returns their ``tableCommands`` as its `keyCommands`.
  var keys: KeyTable { get }
  /// The actions that the hint line names now; by default those of ``keys``.
  var hintedActions: [Action] { get }
  /// Whether it shows one object, which is what its actions are about.
  var isPage: Bool { get }
  /// Whether background work is under way.
  var isWorking: Bool { get }

  /// Performs an action; what means the same on every screen is left to `App.performShared`.
  func perform(_ action: Action, count: Int?)
  /// Called after another process changed the store and the context was refreshed.
  func storeChanged()
}

extension BrowserScreen {
  var hintedActions: [Action] { keys.hintedActions }
  var isPage: Bool { false }
  var isWorking: Bool { false }
  func storeChanged() {}

  /// The application that shows the screen.
  var app: App? { session.app }

  /// The commands of ``keys``, as the settings bind them.
  var tableCommands: [KeyCommand] {
    keys.rebound(session.options.settings.keys).commands(
      hinting: hintedActions, isReadOnly: session.readOnlyReason != nil, isPage: isPage
    ) { [weak self] in self?.perform($0, count: $1) }
  }
}
