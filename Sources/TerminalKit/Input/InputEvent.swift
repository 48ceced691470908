/// What reaches the program from its terminal, or wakes it.
///
/// Signals arrive as events, so that the program ends in one place and leaves the terminal usable.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The mouse was used.
  case mouse(MouseEvent)
  /// Text was pasted as a whole; it holds whatever was copied, control characters too.
  case paste(String)
  /// The terminal has a new size.
  case resize(Size)
  /// A ``Waker`` called: work in the background has something to show.
  case wake
  /// The program was suspended and is in the foreground again; the screen must be drawn anew.
  case resumed
  /// The program is asked to end (SIGTERM).
  case terminate
  /// The program is interrupted from elsewhere (SIGINT); C-c is a key.
  case interrupt
  /// The terminal is gone (SIGHUP).
  case hangup
  /// Nothing more can be read: standard input was closed.
  case endOfInput
}

/// A use of the mouse.
///
/// The position is a cell of the screen.
public struct MouseEvent: Hashable, Sendable {
  /// What was done.
  public enum Kind: Hashable, Sendable {
    /// The left button went down.
    case press
    /// The left button was let go.
    case release
    /// The mouse moved with the left button down.
    case drag
    /// The left button was pressed twice.
    case doublePress
    /// The wheel turned towards the top.
    case wheelUp
    /// The wheel turned towards the bottom.
    case wheelDown
  }

  /// What was done.
  public let kind: Kind
  /// Where it was done, from (0, 0) at the top left.
  public let position: Point

  /// Creates an event.
  public init(_ kind: Kind, at position: Point) {
    self.kind = kind
    self.position = position
  }
}
