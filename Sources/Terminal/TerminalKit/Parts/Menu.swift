/// A pop-up menu; typing filters its items.
public struct Menu: Sendable {
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

  /// The result of a key press.
  package enum Outcome: Hashable, Sendable {
    /// The menu stays open.
    case open
    /// An item was chosen; the value is its index in ``Menu/items``.
    case chosen(Int)
    /// The menu was closed without a choice.
    case cancelled
  }

  /// The title, drawn in the top edge.
  package var title: String
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
  private let fold: @Sendable (String) -> String

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - title: The title, drawn in the top edge.
  ///   - items: All items.
  ///   - selected: The index of the item selected at first; out of range selects the first.
  ///   - fold: Folds titles and the filter before they are compared; by default to lower case.
  package init(
    _ title: String, items: [Item], selected: Int = 0,
    fold: @escaping @Sendable (String) -> String = { $0.lowercased() }
  ) {
    self.title = title
    self.items = items
    self.fold = fold
    shown = Array(items.indices)
    scroll.setRows(items.count)
    scroll.setCursor(items.indices.contains(selected) ? selected : 0)
  }

  /// Handles a key press: arrows move, characters filter, Enter chooses, Esc clears the filter or
  /// cancels.
  package mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter: return shown.indices.contains(selected) ? .chosen(shown[selected]) : .open
    case .escape where !filter.isEmpty: narrow(to: "")
    case .escape, .control("g"), .control("c"): return .cancelled
    case .tab: scroll.move(.down(1))
    case .backTab: scroll.move(.up(1))
    case .backspace where !filter.isEmpty: narrow(to: String(filter.dropLast()))
    case .character(let character): narrow(to: filter + String(character))
    default:
      if let motion = TableMotion(key, isTyping: true) { scroll.move(motion) }
    }
    return .open
  }

  /// Adds pasted text to the filter.
  package mutating func paste(_ text: String) {
    narrow(to: filter + text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// Selects an item by its index in ``shown``.
  package mutating func select(_ index: Int) { scroll.setCursor(index) }

  private mutating func narrow(to text: String) {
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
  package mutating func draw(in canvas: inout Canvas) -> Point {
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
