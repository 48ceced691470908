/// A menu over the screen.
@MainActor
package final class MenuOverlay: Overlay {
  package private(set) var menu: Menu
  private let choose: (Int) -> Void
  private let shortcut: (Key, Menu) -> (() -> Void)?

  /// Shows a menu.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - shortcut: Returns what a key does before the menu handles it; nil for nothing.
  ///   - choose: Called with the place of the chosen item.
  package init(
    _ menu: Menu, shortcut: @escaping (Key, Menu) -> (() -> Void)? = { _, _ in nil },
    choose: @escaping (Int) -> Void
  ) {
    self.menu = menu
    self.shortcut = shortcut
    self.choose = choose
  }

  package func draw(in canvas: inout Canvas) -> Point? { menu.draw(in: &canvas) }

  package func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply {
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
