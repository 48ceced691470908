import ObjectModel
import TerminalKit

/// The cursor, the scrolling and the narrowing of a list in an overlay.
struct PanelList {
  /// The index of the cursor among the shown items.
  private(set) var cursor = 0
  private var top = 0
  private var room = 1
  /// The text that items must contain.
  private(set) var filter = LineFilter()

  /// The indexes of the items that are shown.
  func shown(_ texts: [String]) -> [Int] {
    guard !filter.text.isEmpty else { return Array(texts.indices) }
    let wanted = TextFolding.folded(filter.text)
    return texts.indices.filter { TextFolding.folded(texts[$0]).contains(wanted) }
  }

  /// The index of the item under the cursor; nil if there is none.
  func item(_ texts: [String]) -> Int? {
    let shown = shown(texts)
    return shown.indices.contains(cursor) ? shown[cursor] : nil
  }

  /// Moves the cursor to an item, if it is shown.
  mutating func setCursor(on item: Int, _ texts: [String]) {
    if let place = shown(texts).firstIndex(of: item) { cursor = place }
  }

  /// Handles a key: motions, `/` and what is typed after it, Esc while the list is narrowed.
  ///
  /// - Returns: Whether it was handled.
  mutating func handle(_ key: Key, _ texts: [String]) -> Bool {
    if filter.isTyping {
      if filter.handle(key) == .changed { cursor = 0 }
      return true
    }
    switch key {
    case .character("/"): filter.begin()
    case .escape where filter.prompt != nil: filter.clear()
    case .down, .character("j"), .control("n"): cursor += 1
    case .up, .character("k"), .control("p"): cursor -= 1
    case .pageDown, .control("f"): cursor += room
    case .pageUp, .control("b"): cursor -= room
    case .control("d"): cursor += max(room / 2, 1)
    case .control("u"): cursor -= max(room / 2, 1)
    case .home, .character("g"): cursor = 0
    case .end, .character("G"): cursor = texts.count
    default: return false
    }
    cursor = min(max(cursor, 0), max(shown(texts).count - 1, 0))
    return true
  }

  /// Draws the items in the viewport, and what is typed under them.
  ///
  /// - Parameters:
  ///   - texts: The texts of all items.
  ///   - canvas: The canvas.
  ///   - drawItem: Draws an item on a line, in a style.
  /// - Returns: The position of the hardware cursor.
  mutating func draw(
    _ texts: [String], in canvas: inout Canvas,
    drawItem: (_ item: Int, _ y: Int, _ style: Style, inout Canvas) -> Void
  ) -> Point? {
    let shown = shown(texts)
    room = max(canvas.height - (filter.prompt == nil ? 0 : 1), 1)
    cursor = min(max(cursor, 0), max(shown.count - 1, 0))
    top = min(max(top, cursor - room + 1), cursor, max(shown.count - room, 0))
    for (y, item) in shown.dropFirst(top).prefix(room).enumerated() {
      let isCursor = top + y == cursor
      let style = isCursor ? canvas.theme.focus : .plain
      canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1), style: style)
      if isCursor { canvas.put(canvas.signs.cursor, x: 0, y: y, style: style) }
      drawItem(item, y, style, &canvas)
      canvas.mark(Rect(x: 0, y: y, width: canvas.width, height: 1), as: .item(item))
    }
    if top > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: 0) }
    if top + room < shown.count {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: room - 1)
    }
    return filter.draw(in: &canvas, y: room) ?? canvas.screenPoint(x: 0, y: cursor - top)
  }
}
