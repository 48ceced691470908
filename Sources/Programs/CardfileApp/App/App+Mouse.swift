import TerminalKit

extension App {
  /// Handles an event of the mouse by what was on the screen at its position: the topmost overlay,
  /// else a hint, else the screen.
  func process(_ event: MouseEvent) {
    guard session.options.settings.usesMouse else { return }
    let target = shown?.target(at: event.position)
    if let overlay = overlays.last { return answer(overlay.handle(event, on: target), of: overlay) }
    // A release ends a click: what the click said stays.
    guard event.kind != .release, retry == nil else { return }
    session.clearMessage()
    if case .key(let key) = target {
      if event.kind.isPress { process(key) }
    } else {
      screen?.handle(event)
    }
  }
}
