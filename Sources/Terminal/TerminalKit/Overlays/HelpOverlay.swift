/// The keys of a screen, from its key table; Enter runs the key under the cursor.
@MainActor
package final class HelpOverlay<Action: Hashable & Sendable>: ItemOverlay {
  private var panel: HelpPanel<Action>
  private let run: (Action) -> Void

  /// Shows a key map; `run` performs the action of the chosen key.
  package init(_ title: String, map: KeyMap<Action>, run: @escaping (Action) -> Void) {
    panel = HelpPanel(title, map: map)
    self.run = run
  }

  package func draw(in canvas: inout Canvas) -> Point? { panel.draw(in: &canvas) }

  package func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    panel.select(item)
    return isDouble ? handle(.enter) : .stay
  }

  package func paste(_ text: String) { panel.paste(text) }

  package func handle(_ key: Key) -> OverlayReply {
    switch panel.handle(key) {
    case .open: .stay
    case .closed: .close
    case .run(let action): .perform { [run] in run(action) }
    }
  }
}
