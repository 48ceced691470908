import TerminalKit

/// Cursor and scroll position of a page whose items take one or more lines each.
struct LineScroll: Hashable {
  /// The lines of each item that the cursor can be on, in order; there can be lines between them.
  private(set) var items: [Range<Int>] = []
  private(set) var lineCount = 0
  private(set) var height = 1
  /// The first visible line.
  private(set) var top = 0
  /// The index of the item under the cursor.
  private(set) var cursor = 0

  /// Sets the items; the cursor keeps its index, or moves to the last item.
  mutating func setPage(items: [Range<Int>], lineCount: Int) {
    self.items = items
    self.lineCount = lineCount
    setCursor(cursor)
  }

  /// Sets the number of visible lines.
  mutating func setHeight(_ new: Int) {
    height = max(new, 1)
    scrollToCursor()
  }

  /// Moves the cursor to the item at an index, clamped to the items.
  mutating func setCursor(_ item: Int) {
    cursor = min(max(item, 0), max(items.count - 1, 0))
    scrollToCursor()
  }

  /// Scrolls by the wheel, and moves the cursor to a pressed line; `pageTop` is the page's first
  /// line on the screen.
  mutating func handle(_ event: MouseEvent, pageTop: Int) {
    switch event.kind {
    case .wheelDown: scroll(by: 3)
    case .wheelUp: scroll(by: -3)
    case .press, .doublePress:
      let line = event.position.y - pageTop + top
      if let item = items.firstIndex(where: { $0.contains(line) }) { setCursor(item) }
    default: break
    }
  }

  /// Carries out a motion as a list does: a count repeats it, or names the row or the percentage.
  ///
  /// - Returns: Whether the action is a motion.
  mutating func perform(_ action: Action, count: Int?) -> Bool {
    switch action {
    case .rowDown, .rowUp, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first:
      move(action, count: count ?? 1)
    case .percent: move(action, count: count ?? 50)
    case .last:
      if let count { setCursor(count - 1) } else { move(action, count: 1) }
    default: return false
    }
    return true
  }

  /// Moves the cursor.
  mutating func move(_ action: Action, count: Int) {
    let page = max(height - 1, 1)
    switch action {
    case .rowDown: step(by: count)
    case .rowUp: step(by: -count)
    case .halfPageDown: turn(by: max(page / 2, 1))
    case .halfPageUp: turn(by: -max(page / 2, 1))
    case .pageDown: turn(by: page)
    case .pageUp: turn(by: -page)
    case .first: setCursor(0)
    case .last: setCursor(items.count - 1)
    case .percent: setCursor((items.count - 1) * min(count, 100) / 100)
    default: break
    }
  }

  private mutating func step(by count: Int) {
    let target = cursor.addingReportingOverflow(count).partialValue
    setCursor(target)
    // Past the last item, scroll to the end of the page.
    if target >= items.count { setTop(lineCount - height) }
  }

  private mutating func turn(by lines: Int) {
    let line = (items.isEmpty ? top : items[cursor].lowerBound) + lines
    let next = items.firstIndex { $0.upperBound > line } ?? items.count - 1
    setTop(top + lines)
    let wanted = lines > 0 ? max(next, cursor + 1) : min(next, cursor - 1)
    setCursor(wanted)
    if wanted >= items.count { setTop(lineCount - height) }
  }

  /// Scrolls by lines, as the wheel does; the cursor stays in the visible part.
  mutating func scroll(by lines: Int) {
    let old = cursor
    setTop(top + lines)
    let window = top..<top + height
    guard items.indices.contains(old), !items[old].overlaps(window) else { return }
    let inside = items.indices.filter { window.contains(items[$0].lowerBound) }
    if let place = lines > 0 ? inside.first : inside.last { cursor = place }
  }

  private mutating func setTop(_ line: Int) {
    top = min(max(line, 0), max(lineCount - height, 0))
  }

  private mutating func scrollToCursor() {
    guard items.indices.contains(cursor) else { return setTop(top) }
    let lines = items[cursor]
    // With the cursor on the first item, show the lines above it too.
    let above = cursor == 0 ? 0 : lines.lowerBound
    var wanted = max(top, lines.upperBound - height)
    wanted = min(wanted, above)
    setTop(wanted)
  }
}
