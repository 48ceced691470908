extension HelpPanel {
  /// One line of one column of the help.
  private enum Entry {
    case title(String)
    case binding(KeyBinding<Action>, index: Int)
  }

  /// Draws the help in the middle of the viewport, on top of its contents.
  ///
  /// Sections are drawn in two columns from a width of 72. If they do not fit, the help scrolls
  /// with the selected line.
  ///
  /// - Returns: The position of the hardware cursor on the screen: the selected line.
  @discardableResult
  public func draw(in canvas: inout Canvas) -> Point {
    let isWide = canvas.width >= 72
    let rows = rows(columns: isWide ? 2 : 1)
    let width = min(canvas.width, isWide ? 78 : 44)
    let height = min(rows.count + 2, canvas.height)
    return canvas.withinCenteredBox(
      width: width, height: height, title: heading(isWide: isWide)
    ) { draw(rows, in: &$0) }
  }

  private func heading(isWide: Bool) -> String {
    if let filter { return "Keys /\(filter)" }
    return isWide
      ? "Keys — \(title)   (/ narrows, Enter runs the key, Esc closes)" : "Keys — \(title)"
  }

  private func draw(_ rows: [[Entry?]], in canvas: inout Canvas) -> Point {
    let selectedRow = rows.firstIndex { row in
      row.contains { if case .binding(_, index: selected)? = $0 { true } else { false } }
    }
    let first = min(
      max((selectedRow ?? 0) - canvas.height / 2, 0), max(rows.count - canvas.height, 0))
    var cursor = canvas.screenPoint(x: 0, y: 0)
    for (y, row) in rows.dropFirst(first).prefix(canvas.height).enumerated() {
      let columns = canvas.width / row.count
      for (column, entry) in row.enumerated() {
        guard let entry else { continue }
        let field = Rect(x: column * columns, y: y, width: columns, height: 1)
        let isSelected = canvas.within(field) { draw(entry, in: &$0) }
        if isSelected { cursor = canvas.screenPoint(x: field.minX, y: y) }
      }
    }
    if first > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: 0) }
    if first + canvas.height < rows.count {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: canvas.height - 1)
    }
    return cursor
  }

  /// Draws an entry and returns whether it is the selected one.
  private func draw(_ entry: Entry, in canvas: inout Canvas) -> Bool {
    switch entry {
    case .title(let title):
      canvas.put(title, x: 1, y: 0, style: canvas.theme.headerTitle)
      return false
    case .binding(let binding, let index):
      let isSelected = index == selected
      canvas.mark(Rect(x: 0, y: 0, width: canvas.width, height: 1), as: .item(index))
      let base = isSelected ? canvas.theme.focus : .plain
      let keys = binding.shownKeys(canvas.signs)
      let used = canvas.put(keys, x: 2, y: 0, style: base.overlaid(by: canvas.theme.hintKey))
      let start = max(15, used + 4)
      let help = canvas.signs.cut(binding.help, to: canvas.width - start - 1)
      canvas.put(help, x: start, y: 0, style: base)
      return isSelected
    }
  }

  /// Returns the lines of the help, each with one entry, or nil, for each column.
  private func rows(columns: Int) -> [[Entry?]] {
    var index = 0
    let blocks = groups.map { section, bindings in
      [Entry.title(section.rawValue)]
        + bindings.map { binding in
          defer { index += 1 }
          return Entry.binding(binding, index: index)
        }
    }
    return stride(from: 0, to: blocks.count, by: columns).flatMap { start in
      let row = blocks[start..<min(start + columns, blocks.count)]
      let height = row.map(\.count).max() ?? 0
      return (0..<height).map { line in
        (0..<columns).map { column in
          let index = start + column
          return index < blocks.count && line < blocks[index].count ? blocks[index][line] : nil
        }
      }
    }
  }
}
