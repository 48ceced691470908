extension TableState {
  /// Moves the cursor.
  mutating func move(_ motion: TableMotion) {
    guard let cursor else { return }
    let page = max(height - (headerSticks ? 1 : 0), 1)
    switch motion {
    case .up(let count): step(byBands: -max(count, 0), from: cursor)
    case .down(let count): step(byBands: max(count, 0), from: cursor)
    case .left(let count): stepAside(by: -max(count, 0), from: cursor)
    case .right(let count): stepAside(by: max(count, 0), from: cursor)
    case .halfPageUp(let count): scrollPage(by: -scaled(max(page / 2, 1), by: count))
    case .halfPageDown(let count): scrollPage(by: scaled(max(page / 2, 1), by: count))
    case .pageUp(let count): scrollPage(by: -scaled(page, by: count))
    case .pageDown(let count): scrollPage(by: scaled(page, by: count))
    case .first:
      setCursor(0)
      setTopLine(0)
    case .last: jump(to: offsets.numberOfRows - 1)
    case .row(let number): jump(to: max(number, 1) - 1)
    case .percent(let part):
      // Rounded up, as in vim.
      jump(to: max((offsets.numberOfRows * min(max(part, 0), 100) + 99) / 100, 1) - 1)
    case .nextSection(let count): moveBySection(max(count, 0), from: cursor)
    case .previousSection(let count): moveBySection(-max(count, 0), from: cursor)
    case .section(let section): show(section: section)
    case .screenTop: moveToLine(topLine + coveredLines, preferringNext: true)
    case .screenMiddle: moveToLine(topLine + shownLines / 2, preferringNext: true)
    case .screenBottom: moveToLine(topLine + shownLines - rowHeight, preferringNext: false)
    case .cursorToTop: setTopLine(line(ofRow: cursor) - coveredLines)
    case .cursorToMiddle: setTopLine(line(ofRow: cursor) - height / 2)
    case .cursorToBottom: setTopLine(line(ofRow: cursor) + rowHeight - height)
    }
    scrollToCursor()
  }

  /// The lines at the top that the pinned header may cover.
  private var coveredLines: Int { headerSticks ? 1 : 0 }

  /// The lines of the screen with something on them.
  private var shownLines: Int { min(height, numberOfLines - topLine) }

  private mutating func moveToLine(_ line: Int, preferringNext: Bool) {
    row(nearLine: line, preferringNext: preferringNext).map { setCursor(besideRow: $0) }
  }

  /// Moves the cursor to a row and, if the row is not visible, scrolls it to the middle.
  mutating func jump(to row: Int) {
    setCursor(row)
    guard let cursor, !isVisible(cursor) else { return }
    setTopLine(line(ofRow: cursor) - height / 2)
  }

  /// Scrolls by lines; the cursor moves only as far as needed to stay visible.
  mutating func scroll(byLines lines: Int) {
    guard let cursor else { return }
    setTopLine(topLine + min(max(lines, -numberOfLines), numberOfLines))
    let first = topLine + (headerSticks ? 1 : 0)
    let end = topLine + height
    let line = line(ofRow: cursor)
    if line < first {
      row(nearLine: first + rowHeight - 1, preferringNext: true).map {
        setCursor(besideRow: $0)
      }
    } else if line + rowHeight > end {
      row(nearLine: end - rowHeight, preferringNext: false).map { setCursor(besideRow: $0) }
    }
    scrollToCursor()
  }

  private func scaled(_ lines: Int, by count: Int) -> Int {
    let (product, isHuge) = lines.multipliedReportingOverflow(by: max(count, 0))
    return isHuge ? numberOfLines : min(product, numberOfLines)
  }

  private mutating func step(byBands count: Int, from row: Int) {
    let (band, last) = (band(ofRow: row), bands.numberOfRows - 1)
    let target = band + min(max(count, -band), last - band)
    if target != band { setCursor(besideRow: self.row(inBand: target)) }
  }

  /// Moves by rows, into the bands before and after; does nothing where each band is one row.
  private mutating func stepAside(by count: Int, from row: Int) {
    guard rowsPerBand > 1 else { return }
    let last = offsets.numberOfRows - 1
    setCursor(row + min(max(count, -row), last - row))
  }

  /// Scrolls by lines and moves the cursor by as many lines.
  private mutating func scrollPage(by lines: Int) {
    guard lines != 0, let cursor else { return }
    let target = line(ofRow: cursor) + lines
    setTopLine(topLine + lines)
    let near = band(ofRow: row(nearLine: target, preferringNext: lines > 0) ?? cursor)
    // Move by one band at least, even if a page is shorter than that.
    guard near != band(ofRow: cursor) else { return step(byBands: lines.signum(), from: cursor) }
    setCursor(besideRow: row(inBand: near))
  }

  private mutating func moveBySection(_ count: Int, from row: Int) {
    guard count != 0, let path = offsets.path(of: row) else { return }
    var target = path.section
    var left = count.magnitude
    // The first step back goes to the start of the current section.
    if count < 0, path.row > 0 { left -= 1 }
    while left > 0 {
      var next = target + count.signum()
      while next >= 0, next < offsets.numberOfSections, offsets.count(in: next) == 0 {
        next += count.signum()
      }
      guard next >= 0, next < offsets.numberOfSections else {
        if count > 0 { return setCursor(offsets.numberOfRows - 1) }
        break
      }
      target = next
      left -= 1
    }
    show(section: target)
  }

  /// Moves the cursor to the first row of a section and scrolls the section's header to the top.
  private mutating func show(section: Int) {
    let section = min(max(section, 0), max(offsets.numberOfSections - 1, 0))
    let row = min(offsets.start(of: section), offsets.numberOfRows - 1)
    setCursor(row)
    guard let cursor, let path = offsets.path(of: cursor), !isVisible(cursor) || path.row == 0
    else { return }
    setTopLine(firstLine(ofSection: path.section))
  }
}
