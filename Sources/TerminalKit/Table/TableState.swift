/// The state of a table without its contents: sections, cursor, selection and scroll position.
///
/// Rows are counted through all sections. The lines of the table are counted from the first header
/// on as if all were drawn; the screen shows a window of them.
struct TableState: Hashable, Sendable {
  private(set) var offsets = SectionOffsets()
  private(set) var hasHeaders = false
  private(set) var hasFooters = false
  private(set) var rowHeight = 1
  /// The lines of the screen that the table has.
  private(set) var height = 0
  /// The first line of the window.
  private(set) var topLine = 0
  /// The row under the cursor; nil only when there are no rows.
  private(set) var cursor: Int?
  var selection = RowSet()

  /// Whether the first line of the window shows the current header.
  var headerSticks: Bool { hasHeaders && height >= 2 }

  // MARK: Lines

  private var linesAroundSection: Int { (hasHeaders ? 1 : 0) + (hasFooters ? 1 : 0) }

  var numberOfLines: Int {
    offsets.numberOfSections * linesAroundSection + offsets.numberOfRows * rowHeight
  }

  func firstLine(ofSection section: Int) -> Int {
    section * linesAroundSection + offsets.start(of: section) * rowHeight
  }

  /// The first line of a row; 0 when there is no such row.
  func line(ofRow row: Int) -> Int {
    guard let path = offsets.path(of: row) else { return 0 }
    return firstLine(ofSection: path.section) + (hasHeaders ? 1 : 0) + path.row * rowHeight
  }

  /// What stands on a line; nil outside of the table.
  func item(atLine line: Int) -> TableLine? {
    guard line >= 0, line < numberOfLines else { return nil }
    let section = offsets.lastSection { firstLine(ofSection: $0) <= line }
    var rest = line - firstLine(ofSection: section)
    if hasHeaders {
      if rest == 0 { return .header(section) }
      rest -= 1
    }
    let rows = offsets.rows(in: section)
    guard rest < rows.count * rowHeight else { return .footer(section) }
    return .row(rows.lowerBound + rest / rowHeight, line: rest % rowHeight)
  }

  /// The row on a line, or the next one in a direction; nil when there are no rows.
  func row(nearLine line: Int, preferringNext: Bool) -> Int? {
    let last = offsets.numberOfRows - 1
    guard last >= 0 else { return nil }
    switch item(atLine: min(max(line, 0), max(numberOfLines - 1, 0))) {
    case .row(let row, _): return row
    case .header(let section):
      let start = offsets.start(of: section)
      return min(max(preferringNext ? start : start - 1, 0), last)
    case .footer(let section):
      let end = offsets.rows(in: section).upperBound
      return min(max(preferringNext ? end : end - 1, 0), last)
    case .ghost, nil: return preferringNext ? last : 0
    }
  }

  // MARK: Contents

  /// Takes new contents, with the place that the cursor's object has in them.
  ///
  /// The cursor's line on the screen stays where it was as far as the table reaches.
  mutating func reload(
    _ new: SectionOffsets, hasHeaders: Bool, hasFooters: Bool, rowHeight: Int, cursor: Int?,
    selection: RowSet
  ) {
    let screenLine = self.cursor.map { line(ofRow: $0) - topLine }
    offsets = new
    self.hasHeaders = hasHeaders
    self.hasFooters = hasFooters
    self.rowHeight = max(rowHeight, 1)
    self.selection = selection
    let last = new.numberOfRows - 1
    self.cursor = last < 0 ? nil : min(max(cursor ?? self.cursor ?? 0, 0), last)
    if let row = self.cursor, let screenLine { topLine = line(ofRow: row) - screenLine }
    scrollToCursor()
  }

  mutating func setHeight(_ new: Int) {
    guard new != height else { return }
    height = max(new, 0)
    scrollToCursor()
  }

  // MARK: Scrolling

  mutating func setCursor(_ row: Int) {
    guard offsets.numberOfRows > 0 else { return }
    cursor = min(max(row, 0), offsets.numberOfRows - 1)
  }

  mutating func setTopLine(_ line: Int) {
    topLine = min(max(line, 0), max(numberOfLines - height, 0))
  }

  /// Brings the cursor into the window with as little scrolling as possible.
  mutating func scrollToCursor() {
    guard let cursor else {
      topLine = 0
      return
    }
    let line = line(ofRow: cursor)
    let top = max(topLine, line + rowHeight - height)
    setTopLine(min(top, line - (headerSticks ? 1 : 0)))
  }

  /// Whether a row is in the window, and not below the header that sticks.
  func isVisible(_ row: Int) -> Bool {
    let line = line(ofRow: row)
    return line >= topLine + (headerSticks ? 1 : 0) && line + rowHeight <= topLine + height
  }
}
