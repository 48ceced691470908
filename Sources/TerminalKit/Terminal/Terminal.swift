/// A screen with keys.
///
/// There are two: ncurses' and the ``RecordingTerminal`` of the tests.
@MainActor
public protocol Terminal: AnyObject {
  /// The present size.
  var size: Size { get }
  /// What the terminal can do.
  var capabilities: TerminalCapabilities { get }
  /// Wakes ``nextEvent(timeoutMilliseconds:)`` from any thread.
  var waker: Waker { get }

  /// Shows a picture; only what differs from the last one is sent.
  ///
  /// - Parameters:
  ///   - canvas: The picture. What exceeds the screen is not shown.
  ///   - cursor: Where the hardware cursor stands; nil hides it.
  func show(_ canvas: Canvas, cursor: Point?)

  /// Waits for the next event.
  ///
  /// - Parameter timeoutMilliseconds: How long to wait; 0 looks and does not wait; nil waits for ever.
  /// - Returns: Nil when the time is over. After ``InputEvent/endOfInput`` every call gives it again.
  func nextEvent(timeoutMilliseconds: Int?) -> InputEvent?

  /// Drops the keys that were typed before now, so that none of them answers a dialog unseen.
  func flushTypeAhead()

  /// Gives the terminal back to the shell until the person returns.
  func suspend()

  /// Sends everything anew at the next ``show(_:cursor:)``, for a screen that others wrote upon.
  func redraw()
}
