extension TableView {
  /// Draws the table into the canvas's current viewport.
  ///
  /// Requests cells from the data source for the visible rows only. A hidden table draws nothing.
  public func draw(in canvas: inout Canvas) {
    guard !isHidden else { return }
    flashes.expire(now: clock())
    // Where there are few lines, rows are worth more than the titles of the columns.
    let titleLines = canvas.height >= 4 ? titleLineCount : 0
    state.setHeight(canvas.height - titleLines)
    drawn = DrawnTable()
    drawn.frame = canvas.viewport
    drawn.firstLine = canvas.viewport.minY + titleLines
    let (stripWidth, reserved) = layOutStrip(in: canvas)
    let bodyWidth = canvas.width - (reserved > 0 ? reserved + 1 : 0)
    state.setRowsPerBand(rowsPerBand(in: bodyWidth))
    if state.height > 0 { showPositionToDraw() }
    drawn.bodyWidth = bodyWidth
    drawn.lines = visibleLines()
    drawn.pinnedSection = pinnedSection
    let body = Rect(
      x: 0, y: titleLines, width: bodyWidth, height: canvas.height - titleLines)
    let titleWidth = titleLines > 0 ? canvas.width : nil
    layOutColumns(in: bodyWidth, titleWidth: titleWidth, signs: canvas.signs)
    loadCells()
    alignDecimals()
    measureCells(canvas.signs)
    // Wider texts leave fewer columns, never more.
    layOutColumns(in: bodyWidth, titleWidth: titleWidth, signs: canvas.signs)
    if titleLines > 0 { drawTitles(in: &canvas, width: bodyWidth) }
    canvas.within(body) { part in
      if state.offsets.numberOfRows == 0 {
        drawEmptyText(in: &part)
      } else {
        drawLines(in: &part)
      }
    }
    if stripWidth > 0 {
      let strip = Rect(
        x: canvas.width - stripWidth, y: titleLines, width: stripWidth,
        height: canvas.height - titleLines)
      canvas.within(strip) { drawStrip(in: &$0) }
    }
  }

  /// The position for the hardware cursor on the screen; nil if the cursor's row was not drawn.
  package var hardwareCursor: Point? { isHidden ? nil : drawn.cursor }

  /// The section whose header is pinned over the first visible line; nil for none.
  private var pinnedSection: Int? {
    guard case .ghost = drawn.lines.first else {
      return state.pinnedSection(over: drawn.lines.first)
    }
    // A deleted row at the top is covered: the rows after it are not.
    guard state.headerSticks, case .row(let row, _) = drawn.lines.first(where: { !$0.isGhost })
    else { return nil }
    return state.offsets.path(of: row)?.section
  }

  private func loadCells() {
    let rows = drawn.lines.compactMap { line -> Int? in
      if case .row(let row, _) = line { row } else { nil }
    }
    guard let first = rows.first, let last = rows.last, let dataSource else { return }
    let end = state.rows(besideRow: last).upperBound
    delegate?.tableView(self, willDisplayRows: first..<end)
    for row in first..<end {
      guard let path = state.offsets.path(of: row) else { continue }
      drawn.cells[row] = arranged(dataSource.tableView(self, cellForRowAt: path))
    }
  }

  /// Returns the visible lines, including deleted rows that are still shown.
  private func visibleLines() -> [TableLine] {
    let plain = (state.topLine..<state.topLine + state.height).compactMap { state.item(atLine: $0) }
    guard !flashes.ghosts.isEmpty, state.rowsPerBand == 1, let cursor = state.cursor else {
      return plain
    }
    var lines: [TableLine] = []
    var ghostsAboveCursor = 0
    for line in plain {
      if case .row(let row, line: 0) = line {
        for (index, ghost) in flashes.ghosts.enumerated() where ghost.row == row {
          lines.append(.ghost(index))
          if row < cursor { ghostsAboveCursor += 1 }
        }
      }
      lines.append(line)
    }
    for (index, ghost) in flashes.ghosts.enumerated() where ghost.row == numberOfRows {
      lines.append(.ghost(index))
    }
    // Deleted rows shown above the cursor must not push its row down.
    let tooMany = max(lines.count - state.height, 0)
    lines.removeFirst(min(ghostsAboveCursor, tooMany, state.topLine))
    lines = Array(lines.prefix(state.height))
    return lines.contains(.row(cursor, line: 0)) ? lines : plain
  }

  private func drawEmptyText(in canvas: inout Canvas) {
    let lines = emptyText.enumerated().flatMap { index, text in
      TextWrap.lines(text, columns: canvas.width, limit: 5, signs: canvas.signs)
        .map { (text: $0, style: index == 0 ? Style.plain : canvas.theme.dim) }
    }
    let top = max((canvas.height - lines.count) / 2, 0)
    for (index, line) in lines.enumerated() {
      canvas.putField(
        line.text, x: 0, y: top + index, columns: canvas.width, alignment: .center,
        style: line.style)
    }
  }

  private func drawLines(in canvas: inout Canvas) {
    for (y, line) in drawn.lines.enumerated() {
      switch line {
      case .header(let section): drawHeader(section, y: y, in: &canvas)
      case .footer(let section):
        let text = dataSource?.tableView(self, titleForFooterInSection: section) ?? ""
        canvas.putField(text, x: 3, y: y, columns: canvas.width - 3, style: canvas.theme.footer)
      case .row(let row, let rowLine):
        drawBand(state.rows(besideRow: row), line: rowLine, y: y, in: &canvas)
      case .ghost(let index): drawGhost(flashes.ghosts[index], line: 0, y: y, in: &canvas)
      }
    }
    drawPinnedHeader(in: &canvas)
  }

  /// Draws one line of a row over the whole viewport.
  func drawRow(_ row: Int, line: Int, y: Int, in canvas: inout Canvas) {
    guard let cell = drawn.cells[row] else { return }
    let isCursor = row == state.cursor
    if isCursor, line == 0 { drawn.cursor = canvas.screenPoint(x: 0, y: y) }
    let drawing = RowDrawing(
      cell: cell, line: line, y: y, isCursor: isCursor,
      isSelected: state.selection.contains(row), rowHeight: state.rowHeight,
      flash: flashes.rows[row].map { canvas.theme.style(of: $0) })
    drawing.draw(drawn.layout.fields, marked: isCursor ? markedColumn : nil, in: &canvas)
  }

  /// Draws one line of a deleted row over the whole viewport.
  func drawGhost(_ ghost: GhostRow, line: Int, y: Int, in canvas: inout Canvas) {
    let drawing = RowDrawing(
      cell: ghost.cell, line: line, y: y, isCursor: false, isSelected: false,
      rowHeight: state.rowHeight, flash: canvas.theme.flashDeleted)
    drawing.draw(drawn.layout.fields, in: &canvas)
  }

  /// Draws the current section's header over the first line, unless that line is a header or the
  /// section's last row.
  private func drawPinnedHeader(in canvas: inout Canvas) {
    if let section = drawn.pinnedSection { drawHeader(section, y: 0, in: &canvas) }
  }

  /// Draws a section header: a horizontal line with the title at the left, the count at the right.
  private func drawHeader(_ section: Int, y: Int, in canvas: inout Canvas) {
    let theme = canvas.theme
    canvas.rule(x: 0, y: y, columns: canvas.width, style: theme.headerRule)
    let signs = canvas.signs
    let title = signs.cut(
      dataSource?.tableView(self, titleForHeaderInSection: section) ?? "", to: canvas.width - 5)
    if !title.isEmpty { canvas.put(" \(title) ", x: 2, y: y, style: theme.headerTitle) }
    // If there is no room for both, leave out the detail.
    let detail = dataSource?.tableView(self, detailForHeaderInSection: section) ?? ""
    let room = canvas.width - displayWidth(of: title) - 8
    guard room > 0 else { return }
    let columns = displayWidth(of: signs.visible(detail, columns: room))
    guard columns > 0, columns <= room else { return }
    canvas.put(" \(detail) ", x: canvas.width - columns - 3, y: y, style: theme.headerDetail)
  }
}

extension Theme {
  fileprivate func style(of flash: RowFlash) -> Style {
    switch flash {
    case .inserted: flashInserted
    case .updated: flashUpdated
    case .moved: flashMoved
    }
  }
}
