/// A menu over the screen.
@MainActor
package final class MenuOverlay: ItemOverlay {
  package private(set) var menu: Menu
  private let choose: (Int) -> Void
  private let shortcut: (Key, Menu) -> (() -> Void)?

  /// Shows a menu.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - shortcut: Returns what a key does before the menu handles it; nil for nothing.
  ///   - choose: Called with the index of the chosen item.
  package init(
    _ menu: Menu, shortcut: @escaping (Key, Menu) -> (() -> Void)? = { _, _ in nil },
    choose: @escaping (Int) -> Void
  ) {
    self.menu = menu
    self.shortcut = shortcut
    self.choose = choose
  }

  package func draw(in canvas: inout Canvas) -> Point? { menu.draw(in: &canvas) }

  package func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    menu.select(item)
    return handle(.enter)
  }

  package func paste(_ text: String) { menu.paste(text) }

  package func handle(_ key: Key) -> OverlayReply {
    if let action = shortcut(key, menu) { return .perform(action) }
    return switch menu.handle(key) {
    case .open: .stay
    case .cancelled: .close
    case .chosen(let item): .perform { [choose] in choose(item) }
    }
  }
}
