/// Input from the terminal, a signal, or a call to ``Waker/wake()``.
///
/// Signals arrive as events, so the program can restore the terminal before it exits.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// A mouse button was pressed or released, or the wheel was turned.
  case mouse(MouseEvent)
  /// Text was pasted (bracketed paste). It may contain control characters.
  case paste(String)
  /// The terminal was resized.
  case resize(Size)
  /// The terminal said that its background is another one than assumed: the colours change.
  case background
  /// ``Waker/wake()`` was called: background work has a result to show.
  case wake
  /// The program was suspended and is in the foreground again; the screen must be redrawn.
  case resumed
  /// SIGTERM: the program should exit.
  case terminate
  /// SIGINT from another process. Ctrl-C typed in the terminal arrives as a key instead.
  case interrupt
  /// SIGHUP: the terminal was closed.
  case hangup
  /// Standard input was closed; no more events follow.
  case endOfInput
}

/// A mouse event at a cell of the screen.
public struct MouseEvent: Hashable, Sendable {
  /// The kinds of mouse event.
  public enum Kind: Hashable, Sendable {
    /// The left button was pressed.
    case press
    /// The left button was released.
    case release
    /// The mouse moved with the left button down.
    case drag
    /// The left button was pressed for the second time within 0.4 seconds on the same cell.
    case doublePress
    /// The wheel was turned up.
    case wheelUp
    /// The wheel was turned down.
    case wheelDown

    /// Whether the button was pressed, for the first or the second time.
    package var isPress: Bool { self == .press || self == .doublePress }
  }

  /// The kind of event.
  public let kind: Kind
  /// The cell under the pointer; (0, 0) is the top left.
  public let position: Point

  /// Creates a mouse event.
  package init(_ kind: Kind, at position: Point) {
    self.kind = kind
    self.position = position
  }
}

extension InputEvent {
  /// Whether the event stops long work: Esc, Ctrl-C, or what ends the program.
  package var stopsWork: Bool {
    switch self {
    case .key(let key): key == .escape || key == .control("c")
    case .terminate, .interrupt, .hangup, .endOfInput: true
    default: false
    }
  }
}
