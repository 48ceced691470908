import TerminalKit

/// Something that stands over the screen and takes the keys until it is closed.
protocol Overlay: AnyObject {
  /// Draws over what the screen has drawn.
  ///
  /// - Returns: The place of the hardware cursor; nil hides it.
  func draw(in canvas: inout Canvas) -> Point?
  /// Answers a key.
  func handle(_ key: Key) -> OverlayReply
  /// Whether keys typed before it was drawn must not reach it.
  var dropsTypeAhead: Bool { get }
}

extension Overlay {
  var dropsTypeAhead: Bool { false }
}

/// What an overlay makes of a key.
enum OverlayReply {
  /// It stays.
  case stay
  /// It closes.
  case close
  /// It closes, and this runs.
  case perform(() -> Void)
  /// It stays, and another one stands over it.
  case present(any Overlay)
}
