public import ManagedObjects
package import ObjectModel
public import TerminalKit

/// What an ``Application`` shows between its first and its last lines: a list, an object, a text.
///
/// It is to an application what a view controller is in UIKit. ``ListScreen``, ``ObjectScreen`` and
/// ``TextScreen`` are screens that are ready to use; a subclass draws anything else.
@MainActor
open class Screen {
  /// The name of the screen, a step of the path in the first line.
  public var title: String
  /// The colour of the first line, where the terminal has colours; nil for the terminal's own.
  public var tintColor: Color?
  /// The application that shows the screen; nil while it is not on its stack.
  public internal(set) weak var application: Application? {
    didSet { for child in childScreens { child.application = application } }
  }
  private var ownCommands: [KeyCommand] = []
  var timers: [ScreenTimer] = []

  /// Creates a screen with a title.
  public init(title: String) { self.title = title }

  // MARK: What it shows

  /// The path in the first line; by default the titles of the screens below and its own.
  open var path: [String] { application?.screens.map(\.title) ?? [title] }
  /// Facts at the right of the first line, the most important first.
  open var facts: [String] { focusedChild?.facts ?? [] }
  /// The text of the status line while there is no message.
  open var status: String { focusedChild?.status ?? "" }
  /// The text at the right of the status line, such as a position.
  open var counters: String { focusedChild?.counters ?? "" }

  /// The progress of work in the background, in place of the status line; nil for none.
  open var busy: BusyLine? { focusedChild?.busy }
  /// The lines at the bottom that replace status line and hints; nil for none.
  package var bottomBar: (any BottomBar)?

  /// The screens that it shows in itself; by default none.
  ///
  /// What is called on this one, it calls on them.
  package var childScreens: [Screen] { [] }

  /// The one of them that has the keys, whose status it shows; nil without any.
  package var focusedChild: Screen? { nil }

  /// Draws the screen between the first line and the status line.
  ///
  /// - Returns: The position of the hardware cursor; nil hides it.
  open func draw(in canvas: inout Canvas) -> Point? { nil }

  /// Milliseconds until the screen must be drawn again without an event; nil for never.
  open var redrawDelay: Int? { childScreens.compactMap(\.redrawDelay).min() }

  // MARK: What it does

  /// The commands of the screen; those of a subclass follow those of its superclass.
  ///
  /// A screen with a context can undo, redo and save.
  open var keyCommands: [KeyCommand] { contextCommands + ownCommands }

  /// Adds a command; it replaces those with the same key.
  public func addKeyCommand(_ command: KeyCommand) { ownCommands.append(command) }

  /// Handles a key before the commands do, in a mode such as one in which letters are typed.
  ///
  /// - Returns: Whether it needs no further handling.
  open func intercept(_ key: Key) -> Bool { focusedChild?.intercept(key) ?? false }

  /// The hints of such a mode, in place of those of the commands; nil while there is none.
  package var modeHints: [Hint]?

  /// Handles pasted text, which is never taken for keys.
  ///
  /// - Returns: Whether something on the screen takes text now.
  open func paste(_ text: String) -> Bool { focusedChild?.paste(text) ?? false }

  /// Handles a mouse event that no hint has taken.
  open func handle(_ event: MouseEvent) {}

  /// Called before the screen is shown, for the first time or again.
  open func willAppear() { for child in childScreens { child.willAppear() } }

  /// Called when another screen covers this one, or it was removed.
  open func didDisappear() { for child in childScreens { child.didDisappear() } }

  /// Called when it was removed, after ``didDisappear()``.
  open func didClose() { for child in childScreens { child.didClose() } }

  /// Does once, before drawing, what a burst of keys has made necessary.
  package func catchUp() { for child in childScreens { child.catchUp() } }

  /// Called when background work has results to show.
  open func takeBackgroundResults() { for child in childScreens { child.takeBackgroundResults() } }

  // MARK: Rows that are not there yet

  /// Whether other rows than those shown have been asked for, so that a command on a row waits.
  package var awaitsRows: Bool { focusedChild?.awaitsRows ?? false }

  /// Whether a command acts on rows that cannot be read now.
  open func isUnread(_ target: KeyCommand.Target, count: Int?) -> Bool {
    focusedChild?.isUnread(target, count: count) ?? false
  }

  /// Whether it has nothing to draw because another program holds the store's lock.
  var isLockedOut: Bool { false }

  /// Whether some objects are still to be read, after an attempt.
  package func areUnread(_ ids: [ObjectID], in context: ManagedObjectContext) -> Bool {
    let unread = ids.filter(context.isUnread)
    guard !unread.isEmpty else { return false }
    showingErrors { try context.prefetch(unread) }
    return unread.contains(where: context.isUnread)
  }

  /// Stops reading in the background.
  open func stopReading() { for child in childScreens { child.stopReading() } }

  /// Reads what could not be read because another program held the store's lock.
  open func readAgain() { for child in childScreens { child.readAgain() } }

  // MARK: Timers

  /// Does something again and again while the screen is on the stack of its application.
  ///
  /// - Parameters:
  ///   - interval: The time between two calls.
  ///   - action: What to do, on the main actor.
  public func addTimer(every interval: Duration, _ action: @escaping @MainActor () -> Void) {
    timers.append(ScreenTimer(interval: max(Int(interval / .milliseconds(1)), 1), action: action))
  }

  // MARK: Its objects

  /// The context of the objects that it shows; nil for none.
  open var managedObjectContext: ManagedObjectContext? { nil }

  /// Whether each change is saved at once; if not, `W` saves, and quitting asks.
  package var savesAfterChanges: Bool { true }
}

extension Screen {
  /// " — v ends the range, Esc cancels it": what can be done next, and by which key.
  ///
  /// - Parameter steps: The default keys with a word for each; one that is not bound is left out.
  /// - Returns: The advice; empty if nothing is left of it.
  package func advice(_ steps: (key: Key, text: String)...) -> String {
    let signs = application?.look.signs ?? .unicode
    let parts = steps.compactMap { step -> String? in
      let key = application?.key(standingFor: step.key) ?? nil
      return key.map { "\($0.label(signs)) \(step.text)" }
    }
    return parts.isEmpty ? "" : " — " + parts.joined(separator: ", ")
  }

  /// The screen, and those that it shows in itself.
  var withChildren: [Screen] { [self] + childScreens.flatMap(\.withChildren) }
}

/// Something that a screen does again and again.
struct ScreenTimer {
  /// Milliseconds between two times.
  let interval: Int
  let action: @MainActor () -> Void
  /// When it is due, in milliseconds; nil until the application has seen it.
  var due: Int?
}
