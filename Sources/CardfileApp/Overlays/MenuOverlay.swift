import TerminalKit

/// A menu over the screen.
final class MenuOverlay: Overlay {
  private(set) var menu: Menu
  private let choose: (Int) -> Void

  init(_ menu: Menu, choose: @escaping (Int) -> Void) {
    self.menu = menu
    self.choose = choose
  }

  func draw(in canvas: inout Canvas) -> Point? { menu.draw(in: &canvas) }

  func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply {
    switch (event.kind, target) {
    case (.wheelUp, _): return handle(.up)
    case (.wheelDown, _): return handle(.down)
    case (.press, .item(let index)), (.doublePress, .item(let index)):
      menu.select(index)
      return handle(.enter)
    // A click beside the menu closes it.
    case (.press, nil): return .close
    default: return .stay
    }
  }

  func handle(_ key: Key) -> OverlayReply {
    switch menu.handle(key) {
    case .open: .stay
    case .cancelled: .close
    case .chosen(let item): .perform { [choose] in choose(item) }
    }
  }
}
