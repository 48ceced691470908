import ManagedObjects
import TerminalKit

/// One of the pages that a person goes through: entities, a list, an object.
protocol Screen: AnyObject {
  /// The keys that mean something here.
  var keys: KeyTable { get }
  /// The help's title, as "Person list".
  var helpTitle: String { get }
  /// What stands in the first line.
  var title: TitleLine { get }
  /// What stands in the line above the hints while there is no message.
  var status: ScreenStatus { get }
  /// Draws what is between the title and the status line.
  func drawBody(in canvas: inout Canvas)
  /// The lines at the bottom in place of status and hints; nil for those.
  var bottomBar: (any BottomBar)? { get }
  /// The actions that the hint line names now; by default those of ``keys``.
  var hintedActions: [Action] { get }
  /// Where the hardware cursor stands; nil hides it.
  var hardwareCursor: Point? { get }
  /// Performs an action.
  ///
  /// - Returns: What is left for the application to do.
  func perform(_ action: Action, count: Int?) -> ScreenOutcome
  /// Takes a key before it is looked up, while the screen is in a mode of its own.
  ///
  /// - Returns: Whether it was taken.
  func intercept(_ key: Key) -> Bool
  /// Takes pasted text.
  func paste(_ text: String)
  /// Follows the mouse.
  ///
  /// - Returns: What is left for the application to do.
  func handle(_ event: MouseEvent) -> ScreenOutcome
  /// The objects that ``ScreenOutcome/markForDeletion(_:)`` named are marked.
  func didMarkForDeletion()
  /// Looks for results of work in the background.
  func takeResults()
  /// Another process changed the store, and the context has been refreshed.
  func storeChanged()
  /// Milliseconds until the screen must be drawn again by itself; nil for never.
  var redrawDelay: Int? { get }
  /// Whether work in the background will still bring something.
  var isWorking: Bool { get }
  /// The screen is shown, for the first time or again.
  func appear()
  /// Another screen is put over this one, or it is left for good.
  func disappear(isLeft: Bool)
}

extension Screen {
  var bottomBar: (any BottomBar)? { nil }
  var hintedActions: [Action] { keys.hintedActions }
  func intercept(_ key: Key) -> Bool { false }
  func paste(_ text: String) {}
  func didMarkForDeletion() {}
  func takeResults() {}
  func storeChanged() {}
  var redrawDelay: Int? { nil }
  var isWorking: Bool { false }
  func appear() {}
  func disappear(isLeft: Bool) {}
}

/// Lines at the bottom that take the keys, as the filter's.
protocol BottomBar: AnyObject {
  /// How many lines it needs.
  var height: Int { get }
  /// Draws the lines.
  ///
  /// - Returns: The place of the hardware cursor.
  func draw(in canvas: inout Canvas) -> Point?
}

/// What stands in the line above the hints.
struct ScreenStatus {
  /// What is said while there is no message.
  var text = ""
  /// What is at the right.
  var counters = ""
  /// What is going on; takes the line for itself.
  var busy: BusyLine?
}
