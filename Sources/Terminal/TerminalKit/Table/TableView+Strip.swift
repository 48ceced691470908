extension TableView {
  /// Whether the index strip is shown, if the table is at least 8 columns wide.
  package var isSectionIndexVisible: Bool {
    showsSectionIndex && !indexTitles.isEmpty
      && numberOfRows >= sectionIndexMinimumDisplayRowCount && numberOfRows > 0
  }

  /// Lays out the index strip.
  ///
  /// - Returns: Its width in columns, and how much of it the rows leave free: counts cover them, so
  ///   that no column moves. Both are 0 if it is not shown.
  func layOutStrip(in canvas: Canvas) -> (width: Int, reserved: Int) {
    guard isSectionIndexVisible, state.height > 0, canvas.width >= 8 else { return (0, 0) }
    drawn.strip = IndexStrip(count: indexTitles.count, height: state.height)
    func width(withCounts: Bool, most: Int) -> Int {
      (0..<drawn.strip.count).reduce(1) { widest, line in
        let text = stripText(onLine: line, withCounts: withCounts, most: most, canvas.signs)
        return min(max(widest, displayWidth(of: canvas.signs.visible(text, columns: most))), most)
      }
    }
    let reserved = width(
      withCounts: false, most: min(max(canvas.width / 5, 1), IndexTitles.maximumWidth))
    let width =
      showsSectionIndexCounts
      ? max(width(withCounts: true, most: canvas.width / 2), reserved) : reserved
    drawn.stripStart = canvas.viewport.minX + canvas.width - width
    return (width, reserved)
  }

  private func stripText(onLine line: Int, withCounts: Bool, most: Int, _ signs: Signs) -> String {
    guard let title = drawn.strip.title(onLine: line) else { return "" }
    let columns = min(most, IndexTitles.maximumWidth)
    let text = signs.cut(IndexTitles.fitting(indexTitles[title], columns: columns), to: columns)
    guard withCounts else { return text }
    let detail = dataSource?.tableView(self, detailForHeaderInSection: indexSections[title]) ?? ""
    // The blank stands between the strip and the row that it covers.
    return " " + (detail.isEmpty ? text : text + "  " + detail)
  }

  /// The index of the title that leads to the current section, or to the nearest one before it.
  private var currentIndexTitle: Int? {
    guard let section = currentSection, let best = indexSections.last(where: { $0 <= section })
    else { return nil }
    return indexSections.firstIndex(of: best)
  }

  func drawStrip(in canvas: inout Canvas) {
    let current = currentIndexTitle.flatMap { drawn.strip.line(ofTitle: $0) }
    for line in 0..<drawn.strip.count {
      let style = line == current ? canvas.theme.stripCurrent : canvas.theme.strip
      let text =
        drawn.strip.title(onLine: line) == nil
        ? (showsSectionIndexCounts ? " " : "") + canvas.signs.skipped
        : stripText(
          onLine: line, withCounts: showsSectionIndexCounts, most: canvas.width, canvas.signs)
      canvas.putField(text, x: 0, y: line, columns: canvas.width, style: style)
    }
  }
}
