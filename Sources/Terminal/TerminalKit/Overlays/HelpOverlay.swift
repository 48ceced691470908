/// The keys of a screen; Enter runs the command under the cursor.
@MainActor
package final class HelpOverlay: ItemOverlay {
  private var panel: HelpPanel

  /// Shows commands.
  package init(_ title: String, map: KeyMap) { panel = HelpPanel(title, map: map) }

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
    case .run(let command): .perform { command.action(nil) }
    }
  }
}
