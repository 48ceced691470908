/// A screen with a keyboard: the real terminal (`NcursesTerminal`), or a ``RecordingTerminal`` in
/// tests.
@MainActor
public protocol Terminal: AnyObject {
  /// The current size of the screen.
  var size: Size { get }
  /// The capabilities of the terminal; ``InputEvent/background`` reports that they have changed.
  var capabilities: TerminalCapabilities { get }
  /// Makes ``nextEvent(timeoutMilliseconds:)`` return ``InputEvent/wake``; usable on any thread.
  var waker: Waker { get }

  /// Shows a canvas; only the differences from the previous one are sent to the terminal.
  ///
  /// - Parameters:
  ///   - canvas: The canvas to show; cells outside the screen are ignored.
  ///   - cursor: The position of the hardware cursor; nil hides it.
  func show(_ canvas: Canvas, cursor: Point?)

  /// Waits for the next event.
  ///
  /// - Parameter timeoutMilliseconds: The longest time to wait; 0 does not wait, nil waits forever.
  /// - Returns: Nil if the time is up. Once ``InputEvent/endOfInput`` was returned, it always is.
  func nextEvent(timeoutMilliseconds: Int?) -> InputEvent?

  /// Whether an event has arrived that stops long work: Esc, Ctrl-C, a signal that ends the
  /// program, or the end of input.
  ///
  /// It does not wait, and all events stay for ``nextEvent(timeoutMilliseconds:)``.
  func isStopRequested() -> Bool

  /// Discards the keys typed so far, so that none of them answers a dialog not yet on the screen.
  func flushTypeAhead()

  /// Returns the terminal to the shell and stops the process, as Ctrl-Z does, until it is resumed.
  func suspend()

  /// Gives the terminal to another program and waits until it ends.
  ///
  /// - Parameter command: The program's path or name, and its arguments.
  /// - Returns: Its exit status; 128 plus the number of the signal that ended it, 127 if it cannot
  ///   be started.
  func run(_ command: [String]) -> Int32

  /// Puts text on the clipboard of the person's computer with the escape sequence OSC 52, which
  /// works over SSH too.
  ///
  /// - Parameter text: At most `longestTerminalCopy` bytes.
  /// - Returns: Whether it was sent; false if the terminal is not like xterm. Some terminals ignore
  ///   it until that is allowed in their settings.
  func copy(_ text: String) -> Bool
  /// Turns the reports of the mouse on or off; without them the terminal selects text as usual.
  func reportMouse(_ isOn: Bool)

  /// Makes the next ``show(_:cursor:)`` redraw the whole screen, after other output overwrote it.
  func redraw()
}

/// The longest text in bytes that terminals take for their clipboard: 100,000 bytes in base64.
package let longestTerminalCopy = 74_994

/// The capabilities of a terminal, determined by `TERM`, the locale and `NO_COLOR`.
public struct TerminalCapabilities: Hashable, Sendable {
  /// The number of colours.
  public var colorSupport: ColorSupport
  /// Whether the terminal shows Unicode.
  public var isUnicode: Bool
  /// Whether its background is dark or light; dark until the terminal has said so.
  public var background: TerminalBackground

  /// Creates capabilities; by default with Unicode, on a dark background.
  public init(
    colorSupport: ColorSupport, isUnicode: Bool = true, background: TerminalBackground = .dark
  ) {
    self.colorSupport = colorSupport
    self.isUnicode = isUnicode
    self.background = background
  }
}

/// The background of a terminal, by which colours are chosen that can be read.
public enum TerminalBackground: Hashable, Sendable, CaseIterable {
  /// White text has more contrast on it than black text.
  case dark
  /// Black text has more contrast on it than white text.
  case light
}
