/// The sections, cursor, selection and scroll position of a table or grid, without its cells.
///
/// Row numbers count across all sections. Rows that lie side by side are a band: one row in a
/// table, several in a grid. Line numbers count the lines of the whole content (headers, bands,
/// footers) from its top; the lines from ``topLine`` on are visible.
struct TableState: Hashable, Sendable {
  private(set) var offsets = SectionOffsets()
  /// The bands of each section; equal to ``offsets`` in a table.
  private(set) var bands = SectionOffsets()
  /// The number of rows in a full band.
  private(set) var rowsPerBand = 1
  /// The position in its band that the cursor takes when it moves up or down.
  private(set) var column = 0
  private(set) var hasHeaders = false
  private(set) var hasFooters = false
  private(set) var rowHeight = 1
  /// The number of visible lines.
  private(set) var height = 0
  /// The first visible line.
  private(set) var topLine = 0
  /// The row under the cursor; nil only if there are no rows.
  private(set) var cursor: Int?
  var selection = RowSet()

  /// Whether a section's header can be pinned to the first visible line.
  var headerSticks: Bool { hasHeaders && height >= 2 }

  /// Returns the section whose header is pinned over a line that is the first visible one.
  ///
  /// Nil over the last row of a section, which its own header would hide.
  func pinnedSection(over line: TableLine?) -> Int? {
    guard headerSticks, case .row(let row, _) = line, let path = offsets.path(of: row),
      rows(besideRow: row).upperBound < offsets.rows(in: path.section).upperBound
    else { return nil }
    return path.section
  }

  // MARK: Bands

  /// Returns the rows of the band that has a row; empty if there is no such row.
  func rows(besideRow row: Int) -> Range<Int> {
    guard let path = offsets.path(of: row) else { return 0..<0 }
    let first = row - path.row % rowsPerBand
    return first..<min(first + rowsPerBand, offsets.rows(in: path.section).upperBound)
  }

  /// Returns the number of the band that has a row, across all sections.
  func band(ofRow row: Int) -> Int {
    offsets.path(of: row).map { bands.start(of: $0.section) + $0.row / rowsPerBand } ?? 0
  }

  /// Returns the row of a band at the cursor's ``column``, or the band's last one.
  func row(inBand band: Int) -> Int {
    guard let path = bands.path(of: band) else { return 0 }
    let first = offsets.start(of: path.section) + path.row * rowsPerBand
    return min(first + column, rows(besideRow: first).upperBound - 1)
  }

  /// Sets the number of rows in a full band; the cursor stays on its row and line of the screen.
  mutating func setRowsPerBand(_ new: Int) {
    guard max(new, 1) != rowsPerBand else { return }
    let screenLine = cursor.map { line(ofRow: $0) - topLine }
    rowsPerBand = max(new, 1)
    countBands()
    column = cursor.map(column(ofRow:)) ?? 0
    if let cursor, let screenLine { topLine = line(ofRow: cursor) - screenLine }
    scrollToCursor()
  }

  private mutating func countBands() {
    bands =
      rowsPerBand == 1
      ? offsets
      : SectionOffsets(
        counts: (0..<offsets.numberOfSections).lazy.map { [offsets, rowsPerBand] in
          (offsets.count(in: $0) + rowsPerBand - 1) / rowsPerBand
        })
  }

  private func column(ofRow row: Int) -> Int { row - rows(besideRow: row).lowerBound }

  // MARK: Lines

  private var linesAroundSection: Int { (hasHeaders ? 1 : 0) + (hasFooters ? 1 : 0) }

  var numberOfLines: Int {
    offsets.numberOfSections * linesAroundSection + bands.numberOfRows * rowHeight
  }

  func firstLine(ofSection section: Int) -> Int {
    section * linesAroundSection + bands.start(of: section) * rowHeight
  }

  /// Returns the first line of a row; 0 if there is no such row.
  func line(ofRow row: Int) -> Int {
    guard let path = offsets.path(of: row) else { return 0 }
    return firstLine(ofSection: path.section) + (hasHeaders ? 1 : 0)
      + path.row / rowsPerBand * rowHeight
  }

  /// Returns the content of a line; nil outside the table.
  func item(atLine line: Int) -> TableLine? {
    guard line >= 0, line < numberOfLines else { return nil }
    let section = offsets.lastSection { firstLine(ofSection: $0) <= line }
    var rest = line - firstLine(ofSection: section)
    if hasHeaders {
      if rest == 0 { return .header(section) }
      rest -= 1
    }
    guard rest < bands.count(in: section) * rowHeight else { return .footer(section) }
    let row = offsets.start(of: section) + rest / rowHeight * rowsPerBand
    return .row(row, line: rest % rowHeight)
  }

  /// Returns the row on a line, or the nearest row in a direction; nil if there are no rows.
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

  /// Replaces the contents, with the cursor and the selection in them.
  ///
  /// Scrolls so that the cursor stays on the same line of the screen, if there are enough rows.
  /// If `cursor` is nil, the cursor keeps its row number.
  mutating func reload(
    _ new: SectionOffsets, hasHeaders: Bool, hasFooters: Bool, rowHeight: Int, cursor: Int?,
    selection: RowSet
  ) {
    let screenLine = self.cursor.map { line(ofRow: $0) - topLine }
    offsets = new
    countBands()
    self.hasHeaders = hasHeaders
    self.hasFooters = hasFooters
    self.rowHeight = max(rowHeight, 1)
    self.selection = selection
    let last = new.numberOfRows - 1
    let row = min(max(cursor ?? self.cursor ?? 0, 0), last)
    // A cursor that stays keeps its wish for a column.
    if row != self.cursor { column = last < 0 ? 0 : self.column(ofRow: row) }
    self.cursor = last < 0 ? nil : row
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
    let row = min(max(row, 0), offsets.numberOfRows - 1)
    cursor = row
    column = column(ofRow: row)
  }

  /// Moves the cursor to the band that has a row, in its ``column``.
  mutating func setCursor(besideRow row: Int) {
    guard offsets.numberOfRows > 0 else { return }
    cursor = self.row(inBand: band(ofRow: min(max(row, 0), offsets.numberOfRows - 1)))
  }

  mutating func setTopLine(_ line: Int) {
    topLine = min(max(line, 0), max(numberOfLines - height, 0))
  }

  /// The visible line that shows the cursor's row, counted from 0; nil if there are no rows.
  var cursorLine: Int? { cursor.map { line(ofRow: $0) - topLine } }

  /// Scrolls so that the cursor's row is shown on a visible line, as far as there are lines.
  mutating func setCursorLine(_ line: Int) {
    guard let cursor else { return }
    topLine = self.line(ofRow: cursor) - line
    scrollToCursor()
  }

  /// Scrolls as little as possible to make the cursor's row visible.
  mutating func scrollToCursor() {
    guard let cursor else {
      topLine = 0
      return
    }
    let line = line(ofRow: cursor)
    let top = max(topLine, line + rowHeight - height)
    setTopLine(min(top, line - (headerSticks ? 1 : 0)))
  }

  /// Returns whether all lines of a row are visible and not covered by the pinned header.
  func isVisible(_ row: Int) -> Bool {
    let line = line(ofRow: row)
    let covered = pinnedSection(over: item(atLine: topLine)) == nil ? 0 : 1
    return line >= topLine + covered && line + rowHeight <= topLine + height
  }
}

extension TableState {
  /// Applies a batch update: cursor, selection and scroll position stay on their objects.
  ///
  /// - Complexity: O(*k* log *k* + sections + ranges of the selection) for *k* changes, whatever
  ///   the number of rows.
  mutating func apply(
    _ map: RowMap, to new: SectionOffsets, hasHeaders: Bool, hasFooters: Bool
  ) {
    let newCursor = cursor.flatMap { map.newRow(for: $0) ?? map.neighbor(of: $0) }
    reload(
      new, hasHeaders: hasHeaders, hasFooters: hasFooters, rowHeight: rowHeight,
      cursor: newCursor ?? 0, selection: map.newRows(for: selection))
  }
}
