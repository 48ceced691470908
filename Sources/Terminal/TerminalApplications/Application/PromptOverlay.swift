import TerminalKit

/// A line of text that is asked for at the bottom of the screen.
@MainActor
final class PromptOverlay: Overlay, BottomBar {
  private let bar: PromptBar
  private let changed: (String) -> Void
  private let cancelled: () -> Void
  private let entered: (String) throws -> Void

  init(
    _ title: String, label: String, text: String, changed: @escaping (String) -> Void,
    cancelled: @escaping () -> Void, entered: @escaping (String) throws -> Void
  ) {
    let label = label.isEmpty ? "› " : label
    bar = PromptBar(title, label: label, text: text, keys: "Enter accept · Esc cancel")
    (self.changed, self.cancelled, self.entered) = (changed, cancelled, entered)
  }

  var bottomBar: (any BottomBar)? { self }
  var height: Int { bar.height }
  func draw(in canvas: inout Canvas) -> Point? { bar.draw(in: &canvas) }

  func handle(_ key: Key) -> OverlayReply {
    switch bar.handle(key) {
    case .changed: textChanged()
    case .cancelled: return .perform(cancelled)
    case .submitted:
      do {
        try entered(bar.text)
        return .close
      } catch {
        bar.note = String(describing: error).replacing("\n", with: " ")
      }
    case .moved, .complete, .ignored: break
    }
    return .stay
  }

  func paste(_ text: String) {
    bar.paste(text)
    textChanged()
  }

  private func textChanged() {
    bar.note = ""
    changed(bar.text)
  }
}
