import TerminalKit

/// The cursor and the visible part of rows that take one line each.
struct RowScroll: Hashable {
  private(set) var count = 0
  private(set) var height = 1
  private(set) var top = 0
  private(set) var cursor = 0

  /// Sets the number of rows and of visible lines.
  mutating func resize(count: Int, height: Int) {
    (self.count, self.height) = (count, max(height, 1))
    moveCursor(to: cursor)
  }

  /// Moves the cursor to a row, clamped to the rows.
  mutating func moveCursor(to row: Int) {
    cursor = min(max(row, 0), max(count - 1, 0))
    top = min(max(top, cursor - height + 1), cursor)
    top = min(max(top, 0), max(count - height, 0))
  }

  /// Scrolls; the cursor stays in the visible part.
  mutating func scroll(by lines: Int) {
    top = min(max(top.addingReportingOverflow(lines).partialValue, 0), max(count - height, 0))
    cursor = min(max(cursor, top), max(top + height - 1, 0))
  }

  /// Moves the cursor.
  mutating func move(_ action: Action, count times: Int?) {
    let page = max(height - 1, 1)
    let most = 1_000_000_000
    let times = min(times ?? 1, most)
    switch action {
    case .rowDown: moveCursor(to: cursor + times)
    case .rowUp: moveCursor(to: cursor - times)
    case .halfPageDown: moveCursor(to: cursor + times * max(page / 2, 1))
    case .halfPageUp: moveCursor(to: cursor - times * max(page / 2, 1))
    case .pageDown: turn(by: times * page)
    case .pageUp: turn(by: -times * page)
    case .percent: moveCursor(to: count * min(times, 100) / 100)
    default: break
    }
  }

  /// Turns the page, the cursor with it.
  private mutating func turn(by rows: Int) {
    let target = cursor + rows
    scroll(by: rows)
    moveCursor(to: target)
  }
}
