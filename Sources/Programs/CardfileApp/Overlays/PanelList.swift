import ObjectModel
import TerminalKit

/// The cursor, the scrolling and the narrowing of a list in an overlay.
///
/// A `Menu` narrows with each letter, best match first, and the help in two columns; keys are commands
/// here, so that `/` begins the text. All three have their cursor and motions from `LineScroll`.
struct PanelList {
  /// The cursor and the scroll position among the shown items.
  private var scroll = LineScroll()
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
    return shown.indices.contains(scroll.cursor) ? shown[scroll.cursor] : nil
  }

  /// Moves the cursor to an item, if it is shown.
  mutating func setCursor(on item: Int, _ texts: [String]) {
    let shown = shown(texts)
    scroll.setRows(shown.count)
    if let index = shown.firstIndex(of: item) { scroll.setCursor(index) }
  }

  /// Handles a key: motions, `/` and what is typed after it, Esc while the list is narrowed.
  ///
  /// - Returns: Whether it was handled.
  mutating func handle(_ key: Key, _ texts: [String]) -> Bool {
    if filter.isTyping {
      if filter.handle(key) == .changed { scroll.setCursor(0) }
      return true
    }
    switch key {
    case .character("/"): filter.begin()
    case .escape where filter.prompt != nil: filter.clear()
    default:
      guard let motion = TableMotion(key) else { return false }
      scroll.setRows(shown(texts).count)
      scroll.move(motion)
    }
    return true
  }

  /// Handles pasted text, which narrows the list while its filter is typed.
  mutating func paste(_ text: String) { if filter.paste(text) { scroll.setCursor(0) } }

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
    scroll.setRows(shown.count)
    scroll.setHeight(canvas.height - (filter.prompt == nil ? 0 : 1))
    for (y, line) in scroll.visibleLines.enumerated() {
      let (item, isCursor) = (shown[line], line == scroll.cursor)
      let style = isCursor ? canvas.theme.focus : .plain
      canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1), style: style)
      if isCursor { canvas.put(canvas.signs.cursor, x: 0, y: y, style: style) }
      drawItem(item, y, style, &canvas)
      canvas.mark(Rect(x: 0, y: y, width: canvas.width, height: 1), as: .item(item))
    }
    scroll.drawMoreSigns(x: canvas.width - 1, y: 0, in: &canvas)
    return filter.draw(in: &canvas, y: scroll.height)
      ?? canvas.screenPoint(x: 0, y: scroll.cursor - scroll.top)
  }
}
