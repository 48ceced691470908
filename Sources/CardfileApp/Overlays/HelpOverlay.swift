import TerminalKit

/// The keys of a screen, from its key table; Enter runs the key under the cursor.
final class HelpOverlay: Overlay {
  private var panel: HelpPanel<Action>
  private let run: (Action) -> Void

  init(
    _ title: String, table: KeyTable, isReadOnly: Bool, signs: Signs,
    run: @escaping (Action) -> Void
  ) {
    panel = HelpPanel(title, map: table.help(signs, isReadOnly: isReadOnly))
    self.run = run
  }

  func draw(in canvas: inout Canvas) -> Point? { panel.draw(in: &canvas) }

  func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply {
    switch (event.kind, target) {
    case (.wheelUp, _): return handle(.up)
    case (.wheelDown, _): return handle(.down)
    case (.press, .item(let index)): panel.select(index)
    case (.doublePress, .item(let index)):
      panel.select(index)
      return handle(.enter)
    case (.press, nil): return .close
    default: break
    }
    return .stay
  }

  func handle(_ key: Key) -> OverlayReply {
    switch panel.handle(key) {
    case .open: .stay
    case .closed: .close
    case .run(let action): .perform { [run] in run(action) }
    }
  }
}
