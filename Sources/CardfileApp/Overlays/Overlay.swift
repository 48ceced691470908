import TerminalKit

/// A view over the screen that handles all keys until it is closed: help, menu, dialog, text.
protocol Overlay: AnyObject {
  /// Draws over the screen.
  ///
  /// - Returns: The position of the hardware cursor; nil hides it.
  func draw(in canvas: inout Canvas) -> Point?
  /// Handles a key.
  func handle(_ key: Key) -> OverlayReply
  /// Whether keys typed before it was drawn are dropped.
  var dropsTypeAhead: Bool { get }
}

extension Overlay {
  var dropsTypeAhead: Bool { false }
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
