/// A menu over the screen; typing filters its items.
@MainActor
public final class Menu: ItemOverlay {
  /// An item of a menu.
  public struct Item: Hashable, Sendable {
    /// The item's title; the filter searches it.
    package var text: String
    /// A second text at the right edge, such as a type or a direction; empty for none.
    package var detail: String

    /// Creates an item.
    public init(_ text: String, detail: String = "") {
      self.text = text
      self.detail = detail
    }
  }

  /// The title, drawn in the top edge.
  private let title: String
  /// All items, whether they match the filter or not.
  package let items: [Item]
  /// The filter text; empty if nothing was typed.
  package private(set) var filter = ""
  /// The indices in ``items`` of the items that match, in the order shown.
  package private(set) var shown: [Int]
  private var scroll = LineScroll()
  /// The index in ``shown`` of the selected item.
  package var selected: Int { scroll.cursor }
  /// The index in ``items`` of the selected item; nil if no item matches.
  package var selectedItem: Int? { shown.indices.contains(selected) ? shown[selected] : nil }
  private let fold: (String) -> String
  private let shortcut: (Key, Menu) -> (() -> Void)?
  private let choose: (Int) -> Void

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - title: The title, drawn in the top edge.
  ///   - items: All items.
  ///   - selected: The index of the item selected at first; out of range selects the first.
  ///   - fold: Folds titles and the filter before they are compared; by default to lower case.
  ///   - shortcut: Returns what a key does before the menu handles it; nil for nothing.
  ///   - choose: Called with the index in ``items`` of the chosen item.
  package init(
    _ title: String, items: [Item], selected: Int = 0,
    fold: @escaping (String) -> String = { $0.lowercased() },
    shortcut: @escaping (Key, Menu) -> (() -> Void)? = { _, _ in nil },
    choose: @escaping (Int) -> Void
  ) {
    (self.title, self.items, self.fold) = (title, items, fold)
    (self.shortcut, self.choose) = (shortcut, choose)
    shown = Array(items.indices)
    scroll.setRows(items.count)
    scroll.setCursor(items.indices.contains(selected) ? selected : 0)
  }

  /// Handles a key press: arrows move, characters filter, Enter chooses, Esc clears the filter or
  /// cancels.
  package func handle(_ key: Key) -> OverlayReply {
    if let action = shortcut(key, self) { return .perform(action) }
    switch key {
    case .enter:
      guard let item = selectedItem else { break }
      return .perform { [choose] in choose(item) }
    case .escape where !filter.isEmpty: narrow(to: "")
    case .escape, .control("g"), .control("c"): return .close
    case .tab: scroll.move(.down(1))
    case .backTab: scroll.move(.up(1))
    case .backspace where !filter.isEmpty: narrow(to: String(filter.dropLast()))
    case .character(let character): narrow(to: filter + String(character))
    default:
      if let motion = TableMotion(key, isTyping: true) { scroll.move(motion) }
    }
    return .stay
  }

  /// Adds pasted text to the filter.
  package func paste(_ text: String) {
    narrow(to: filter + text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  package func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    scroll.setCursor(item)
    return handle(.enter)
  }

  private func narrow(to text: String) {
    filter = text
    let wanted = fold(text)
    let folded = items.map { fold($0.text) }
    // Items that begin with the text come first, then those that contain it, then those that have
    // its letters in this order.
    let ranks = folded.map { item in
      item.hasPrefix(wanted)
        ? 0 : item.contains(wanted) ? 1 : Self.hasLetters(of: wanted, item) ? 2 : nil
    }
    shown = (0...2).flatMap { rank in items.indices.filter { ranks[$0] == rank } }
    scroll.setRows(shown.count)
    scroll.setCursor(0)
  }

  private static func hasLetters(of wanted: String, _ text: String) -> Bool {
    var rest = wanted[...]
    for character in text where character == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Draws the menu in the middle of the viewport, on top of its contents.
  ///
  /// - Returns: The position of the hardware cursor on the screen: the selected item.
  @discardableResult
  package func draw(in canvas: inout Canvas) -> Point? {
    let heading = filter.isEmpty ? title : "\(title): \(filter)"
    let most = canvas.width
    let widest = items.prefix(1000).reduce(displayWidth(of: canvas.signs.visible(heading)) + 6) {
      max($0, displayWidth(of: canvas.signs.visible("\($1.text)    \($1.detail)", columns: most)))
    }
    let none = "Nothing matches \(filter) — Esc shows all"
    let needed = shown.isEmpty ? displayWidth(of: canvas.signs.visible(none, columns: most)) : 0
    let width = min(max(widest + 6, needed + 4), canvas.width)
    let height = min(items.count + 2, canvas.height)
    scroll.setHeight(height - 2)
    return canvas.withinCenteredBox(width: width, height: height, title: heading) { inside in
      if shown.isEmpty {
        inside.put(inside.signs.own(none), x: 1, y: 0, style: inside.theme.dim)
      }
      for (y, line) in scroll.visibleLines.enumerated() {
        drawItem(items[shown[line]], y: y, isSelected: line == selected, in: &inside)
        inside.mark(Rect(x: 0, y: y, width: inside.width, height: 1), as: .item(line))
      }
      return inside.screenPoint(x: 0, y: selected - scroll.top)
    }
  }

  private func drawItem(_ item: Item, y: Int, isSelected: Bool, in canvas: inout Canvas) {
    let style = isSelected ? canvas.theme.focus : .plain
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1), style: style)
    if isSelected { canvas.put(canvas.signs.cursor, x: 0, y: y, style: style) }
    let detail = canvas.signs.cut(item.detail, to: canvas.width / 2)
    let columns = displayWidth(of: detail)
    let room = canvas.width - 3 - (columns > 0 ? columns + 2 : 0)
    canvas.put(canvas.signs.cut(item.text, to: room), x: 2, y: y, style: style)
    canvas.put(detail, x: canvas.width - 1 - columns, y: y, style: style)
  }
}
