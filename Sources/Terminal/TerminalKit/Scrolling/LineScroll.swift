/// Cursor and scroll position of a page of lines: a list, a menu, an object's page, a tree, bytes.
///
/// The cursor is on an item, which takes one or more lines. A page without items has no cursor and
/// scrolls by lines. A table, whose rows have sections and lie side by side in a grid, has a
/// ``TableState``; a text that is laid out only where it is seen has a pager.
package struct LineScroll: Hashable, Sendable {
  private var items = Items.rows(0)
  /// The number of lines of the page.
  package private(set) var lineCount = 0
  /// The number of visible lines.
  package private(set) var height = 1
  /// The first visible line.
  package private(set) var top = 0
  /// The index of the item under the cursor; 0 if there is none.
  package private(set) var cursor = 0

  /// Makes a page without lines.
  package init() {}

  /// The lines of the page that are visible.
  package var visibleLines: Range<Int> { top..<max(min(top + height, lineCount), top) }

  // MARK: Contents

  /// Sets a page whose items take one line each, with other lines below them if there are more
  /// lines; the cursor keeps its index, or moves to the last item.
  package mutating func setRows(_ count: Int, lineCount: Int? = nil) {
    setPage(.rows(count), lineCount: lineCount ?? count)
  }

  /// Sets a page whose items take some lines each, in order; there can be lines between them.
  package mutating func setItems(_ items: [Range<Int>], lineCount: Int) {
    setPage(.ranges(items), lineCount: lineCount)
  }

  /// Sets a page of lines without a cursor.
  package mutating func setLines(_ count: Int) {
    setPage(.rows(0), lineCount: count)
  }

  private mutating func setPage(_ items: Items, lineCount: Int) {
    self.items = items
    self.lineCount = lineCount
    setCursor(cursor)
  }

  /// Sets the number of visible lines.
  package mutating func setHeight(_ new: Int) {
    guard max(new, 1) != height else { return }
    height = max(new, 1)
    scrollToCursor()
  }

  // MARK: Moving

  /// Moves the cursor to an item, clamped to the items, and scrolls as little as possible.
  package mutating func setCursor(_ item: Int) {
    cursor = min(max(item, 0), max(items.count - 1, 0))
    scrollToCursor()
  }

  /// Moves as the cursor of a table does; motions along sections and columns do nothing.
  package mutating func move(_ motion: TableMotion) {
    let page = max(height - 1, 1)
    switch motion {
    case .down(let count): step(by: clamped(count))
    case .up(let count): step(by: -clamped(count))
    case .halfPageDown(let count): turn(by: clamped(count) * max(page / 2, 1))
    case .halfPageUp(let count): turn(by: -clamped(count) * max(page / 2, 1))
    case .pageDown(let count): turn(by: clamped(count) * page)
    case .pageUp(let count): turn(by: -clamped(count) * page)
    case .first: go(to: 0)
    case .last: go(to: max(items.count, lineCount) - 1)
    case .row(let number): go(to: max(number, 1) - 1)
    case .percent(let part):
      let count = items.count == 0 ? lineCount : items.count
      go(to: max((count * min(max(part, 0), 100) + 99) / 100, 1) - 1)
    default: break
    }
  }

  /// Scrolls by lines, as the wheel does; the cursor stays in the visible part.
  package mutating func scroll(by lines: Int) {
    setTop(top + lines)
    guard items.count > 0, !items[cursor].overlaps(top..<top + height) else { return }
    cursor =
      lines > 0
      ? min(items.firstIndex { $0.upperBound > top }, items.count - 1)
      : max(items.firstIndex { $0.lowerBound >= top + height } - 1, 0)
  }

  /// Scrolls by the wheel, and moves the cursor to a pressed line; `pageTop` is the page's first
  /// line on the screen.
  package mutating func handle(_ event: MouseEvent, pageTop: Int) {
    switch event.kind {
    case .wheelDown: scroll(by: 3)
    case .wheelUp: scroll(by: -3)
    case .press, .doublePress:
      let line = event.position.y - pageTop + top
      let item = items.firstIndex { $0.upperBound > line }
      if item < items.count, items[item].contains(line) { setCursor(item) }
    default: break
    }
  }

  // MARK: Drawing

  /// Draws the signs for more lines above and below at the right edge of the visible lines.
  package func drawMoreSigns(x: Int, y: Int, in canvas: inout Canvas) {
    if top > 0 { canvas.put(canvas.signs.moreAbove, x: x, y: y) }
    if top + height < lineCount { canvas.put(canvas.signs.moreBelow, x: x, y: y + height - 1) }
  }

  // MARK: Steps

  /// A count that can be multiplied by the height of a page.
  private func clamped(_ count: Int) -> Int { min(max(count, 0), 1_000_000_000) }

  private mutating func step(by count: Int) {
    guard items.count > 0 else { return setTop(top + count) }
    let target = cursor + count
    setCursor(target)
    // Past the last item, scroll to the end of the page.
    if target >= items.count { setTop(lineCount - height) }
  }

  /// Scrolls by lines and moves the cursor by as many lines, by one item at least.
  private mutating func turn(by lines: Int) {
    guard items.count > 0, lines != 0 else { return setTop(top + lines) }
    let line = items[cursor].lowerBound + lines
    setTop(top + lines)
    let item = items.firstIndex { $0.upperBound > line }
    let wanted = lines > 0 ? max(item, cursor + 1) : min(item, cursor - 1)
    setCursor(wanted)
    if wanted >= items.count { setTop(lineCount - height) }
  }

  private mutating func go(to index: Int) {
    if items.count == 0 { setTop(index) } else { setCursor(index) }
  }

  private mutating func setTop(_ line: Int) {
    top = min(max(line, 0), max(lineCount - height, 0))
  }

  private mutating func scrollToCursor() {
    guard items.count > 0 else { return setTop(top) }
    let lines = items[cursor]
    // With the cursor on the first item, show the lines above it too.
    let above = cursor == 0 ? 0 : lines.lowerBound
    setTop(min(max(top, lines.upperBound - height), above))
  }
}

extension LineScroll {
  /// The lines of the items.
  private enum Items: Hashable, Sendable {
    /// A number of items of one line each, without lines between them.
    case rows(Int)
    case ranges([Range<Int>])

    var count: Int {
      switch self {
      case .rows(let count): count
      case .ranges(let ranges): ranges.count
      }
    }

    subscript(index: Int) -> Range<Int> {
      switch self {
      case .rows: index..<index + 1
      case .ranges(let ranges): ranges[index]
      }
    }

    /// The first item from which on a condition holds; the number of items if it never does.
    func firstIndex(where isAfter: (Range<Int>) -> Bool) -> Int {
      partitioningIndex(of: count) { !isAfter(self[$0]) }
    }
  }
}
