import ManagedObjects
import TerminalKit

/// A page of the application: the list of entities, a list of objects, an object.
protocol Screen: AnyObject {
  /// The state that all screens share.
  var session: Session { get }
  /// The key bindings.
  var keys: KeyTable { get }
  /// The help's title, as "Person list".
  var helpTitle: String { get }
  /// The first line.
  var title: TitleLine { get }
  /// The contents of the status line while there is no message.
  var status: ScreenStatus { get }
  /// Draws the part between the title and the status line.
  func drawBody(in canvas: inout Canvas)
  /// The lines at the bottom that replace status and hints; nil for none.
  var bottomBar: (any BottomBar)? { get }
  /// The actions that the hint line names now; by default those of ``keys``.
  var hintedActions: [Action] { get }
  /// The position of the hardware cursor; nil hides it.
  var hardwareCursor: Point? { get }
  /// Performs an action; ``App/performShared(_:)`` does what is not the screen's own.
  func perform(_ action: Action, count: Int?)
  /// Handles a key before the key bindings do, while the screen is in a mode such as filtering.
  ///
  /// - Returns: Whether it was handled.
  func intercept(_ key: Key) -> Bool
  /// Keeps a key whose action must wait for what the keys before it have asked for.
  ///
  /// - Returns: Whether it was kept.
  func hold(_ key: Key, for action: Action, count: Int?) -> Bool
  /// The keys that were kept, once there is nothing to wait for.
  func takeHeldKeys() -> [Key]
  /// Forgets the keys that were kept.
  ///
  /// - Returns: How many there were.
  func dropHeldKeys() -> Int
  /// Whether an action waits for rows that are being fetched.
  func awaitsRow(for action: Action) -> Bool
  /// Whether an action is on rows that cannot be read now.
  func isUnread(for action: Action, count: Int?) -> Bool
  /// Stops reading in the background.
  func stopReading()
  /// Reads what could not be read while another program held the store's lock.
  func readAgain()
  /// Handles pasted text, which is never taken for keys.
  ///
  /// - Returns: Whether something on the screen takes text now.
  func paste(_ text: String) -> Bool
  /// Handles a mouse event.
  func handle(_ event: MouseEvent)
  /// Takes the results of background work, if there are any.
  func takeResults()
  /// Called after another process changed the store and the context was refreshed.
  func storeChanged()
  /// Does once, before drawing, what a burst of events has made necessary.
  func catchUp()
  /// Milliseconds until the next redraw without an event; nil for never.
  var redrawDelay: Int? { get }
  /// Whether background work is under way.
  var isWorking: Bool { get }
  /// Called when the screen is shown, for the first time or again.
  func appear()
  /// Called when another screen covers this one, or, with `isLeft`, when this one was removed.
  func disappear(isLeft: Bool)
}

extension Screen {
  /// The application that shows the screen.
  var app: App? { session.app }
  var bottomBar: (any BottomBar)? { nil }
  var hintedActions: [Action] { keys.hintedActions }
  func intercept(_ key: Key) -> Bool { false }
  func hold(_ key: Key, for action: Action, count: Int?) -> Bool { false }
  func takeHeldKeys() -> [Key] { [] }
  func dropHeldKeys() -> Int { 0 }
  func awaitsRow(for action: Action) -> Bool { false }
  func isUnread(for action: Action, count: Int?) -> Bool { false }
  func stopReading() {}
  func readAgain() {}
  func paste(_ text: String) -> Bool { false }
  func takeResults() {}
  func storeChanged() {}
  func catchUp() {}
  var redrawDelay: Int? { nil }
  var isWorking: Bool { false }
  func appear() {}
  func disappear(isLeft: Bool) {}
}

/// The contents of the status line.
struct ScreenStatus {
  /// The text at the left.
  var text = ""
  /// The counters at the right.
  var counters = ""
  /// The progress of background work, which replaces text and counters; nil for none.
  var busy: BusyLine?
}
