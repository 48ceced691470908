/// A list in a box to choose from; typing narrows it.
public struct Menu: Hashable, Sendable {
  /// A line to choose.
  public struct Item: Hashable, Sendable {
    /// What it is.
    public var text: String
    /// Stands at the right edge, such as a type or a direction.
    public var detail: String

    /// Creates a line.
    public init(_ text: String, detail: String = "") {
      self.text = text
      self.detail = detail
    }
  }

  /// What a key did.
  public enum Outcome: Hashable, Sendable {
    /// The menu stays open.
    case open
    /// A line was chosen, by its place among all items.
    case chosen(Int)
    /// Nothing was chosen.
    case cancelled
  }

  /// Stands in the upper edge.
  public var title: String
  /// What there is to choose from.
  public let items: [Item]
  /// What was typed to narrow the list.
  public private(set) var filter = ""
  /// The lines that match, by their places among all items.
  public private(set) var shown: [Int]
  /// The line that Enter takes, by its place among those shown.
  public private(set) var selected = 0

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - title: Stands in the upper edge.
  ///   - items: What there is to choose from.
  ///   - selected: The line that the cursor stands on at first.
  public init(_ title: String, items: [Item], selected: Int = 0) {
    self.title = title
    self.items = items
    shown = Array(items.indices)
    self.selected = items.indices.contains(selected) ? selected : 0
  }

  /// Handles a key: arrows move, letters narrow, Enter chooses, Esc takes back and then cancels.
  public mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter: return shown.indices.contains(selected) ? .chosen(shown[selected]) : .open
    case .escape where !filter.isEmpty: narrow(to: "")
    case .escape, .control("g"), .control("c"): return .cancelled
    case .down, .control("n"), .tab: move(by: 1)
    case .up, .control("p"), .backTab: move(by: -1)
    case .pageDown, .control("f"): move(by: 10)
    case .pageUp, .control("b"): move(by: -10)
    case .home: selected = 0
    case .end: selected = max(shown.count - 1, 0)
    case .backspace where !filter.isEmpty: narrow(to: String(filter.dropLast()))
    case .character(let character): narrow(to: filter + String(character))
    default: break
    }
    return .open
  }

  private mutating func move(by count: Int) {
    selected = min(max(selected + count, 0), max(shown.count - 1, 0))
  }

  private mutating func narrow(to text: String) {
    filter = text
    let wanted = foldedForMatching(text)
    let matching = items.indices.filter { foldedForMatching(items[$0].text).contains(wanted) }
    let matches = text.isEmpty ? Array(items.indices) : matching
    // A word that begins the line is meant more often than one inside of it.
    shown = matches.filter { foldedForMatching(items[$0].text).hasPrefix(wanted) }
    shown += matches.filter { !foldedForMatching(items[$0].text).hasPrefix(wanted) }
    selected = 0
  }

  /// Draws the menu in the middle of the canvas, over what is there.
  ///
  /// - Returns: The place of the hardware cursor on the screen: on the selected line.
  @discardableResult
  public func draw(in canvas: inout Canvas) -> Point {
    let heading = filter.isEmpty ? title : "\(title): \(filter)"
    let most = canvas.width
    let widest = items.prefix(1000).reduce(displayWidth(of: canvas.signs.visible(heading)) + 6) {
      max($0, displayWidth(of: canvas.signs.visible("\($1.text)    \($1.detail)", columns: most)))
    }
    let width = min(widest + 6, canvas.width)
    let height = min(items.count + 2, canvas.height)
    let frame = Rect(
      x: (canvas.width - width) / 2, y: (canvas.height - height) / 2, width: width, height: height)
    canvas.box(frame, title: heading, style: canvas.theme.frame)
    let inner = Rect(
      x: frame.minX + 1, y: frame.minY + 1, width: frame.size.width - 2,
      height: frame.size.height - 2)
    return canvas.within(inner) { part in
      let first = max(min(selected - part.height / 2, shown.count - part.height), 0)
      for (y, place) in shown.dropFirst(first).prefix(part.height).enumerated() {
        drawItem(items[place], y: y, isSelected: first + y == selected, in: &part)
      }
      return Point(x: part.part.minX, y: part.part.minY + max(selected - first, 0))
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
