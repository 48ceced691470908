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

  func handle(_ key: Key) -> OverlayReply {
    switch menu.handle(key) {
    case .open: .stay
    case .cancelled: .close
    case .chosen(let item): .perform { [choose] in choose(item) }
    }
  }
}
