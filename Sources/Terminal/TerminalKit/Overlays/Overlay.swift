/// A view over the screen that handles all keys until it is closed: help, menu, dialog, text.
@MainActor
package protocol Overlay: AnyObject {
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
  /// Handles pasted text, which is never taken for keys; by default it does nothing.
  func paste(_ text: String)
}

extension Overlay {
  package var dropsTypeAhead: Bool { false }
  package var bottomBar: (any BottomBar)? { nil }
  package func paste(_ text: String) {}
  /// The wheel scrolls as the arrow keys do, a click on a key of the overlay presses it.
  package func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply {
    switch event.kind {
    case .wheelUp, .wheelDown:
      for _ in 0..<3 { _ = handle(event.kind == .wheelUp ? .up : .down) }
      return .stay
    case .press, .doublePress:
      guard case .key(let key) = target else { return .stay }
      return handle(key)
    case .drag, .release: return .stay
    }
  }
}

/// An overlay of items: the wheel moves among them, and a click beside it closes it.
@MainActor
package protocol ItemOverlay: Overlay {
  /// Handles a click on an item, by its number.
  func press(_ item: Int, isDouble: Bool) -> OverlayReply
}

extension ItemOverlay {
  package func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply {
    switch (event.kind, target) {
    case (.wheelUp, _): handle(.up)
    case (.wheelDown, _): handle(.down)
    case (.press, .item(let item)): press(item, isDouble: false)
    case (.doublePress, .item(let item)): press(item, isDouble: true)
    case (.press, nil): .close
    default: .stay
    }
  }
}

/// Lines at the bottom that handle the keys, such as the filter bar.
@MainActor
package protocol BottomBar: AnyObject {
  /// The number of lines.
  var height: Int { get }
  /// The number of lines above these that a long note needs; they cover the screen.
  func additionalHeight(in canvas: Canvas) -> Int
  /// Draws the lines.
  func draw(in canvas: inout Canvas) -> Point?
}

extension BottomBar {
  package func additionalHeight(in canvas: Canvas) -> Int { 0 }
}

/// What happens to an overlay after a key.
@MainActor
package enum OverlayReply {
  /// It stays open.
  case stay
  /// It closes.
  case close
  /// It closes, then the closure runs.
  case perform(() -> Void)
  /// It stays open, under another overlay.
  case present(any Overlay)
}
