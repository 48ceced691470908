import TerminalKit

/// A view over the screen that handles all keys until it is closed: help, menu, dialog, text.
protocol Overlay: AnyObject {
  /// Draws over the screen.
  ///
  /// - Returns: The position of the hardware cursor; nil hides it.
  func draw(in canvas: inout Canvas) -> Point?
  /// Handles a key.
  func handle(_ key: Key) -> OverlayReply
  /// Handles a mouse event; `target` is the meaning of a click at its position.
  func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply
  /// Whether keys typed before it was drawn are dropped.
  var dropsTypeAhead: Bool { get }
  /// Itself if it is drawn in place of the status line and the hints; nil if it is drawn over the
  /// screen.
  var bottomBar: (any BottomBar)? { get }
  /// Handles pasted text.
  ///
  /// - Returns: Whether it did; if not, the text is given to it key by key.
  func paste(_ text: String) -> Bool
}

extension Overlay {
  var dropsTypeAhead: Bool { false }
  var bottomBar: (any BottomBar)? { nil }
  func paste(_ text: String) -> Bool { false }
}

/// What happens to an overlay after a key.
enum OverlayReply {
  /// It stays open.
  case stay
  /// It closes.
  case close
  /// It closes, then the closure runs.
  case perform(() -> Void)
  /// It stays open, under another overlay.
  case present(any Overlay)
}
