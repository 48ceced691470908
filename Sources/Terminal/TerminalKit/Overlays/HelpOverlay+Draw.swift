extension HelpOverlay {
  /// One line of one column of the help.
  private enum Entry {
    case title(String)
    case command(KeyCommand, index: Int)
  }

  /// A column of the help: its lines and the widths of their texts.
  private struct Column {
    var entries: [Entry] = []
    /// Whether only the first key of each line is shown.
    let isShort: Bool
    /// The width of the keys.
    var keysWidth = 0
    /// The width that shows every line whole.
    var width = 0
  }

  /// Draws the help in the middle of the viewport, on top of its contents.
  ///
  /// Sections are drawn in two columns from a width of 72. If they do not fit, the help scrolls
  /// with the selected line.
  ///
  /// - Returns: The position of the hardware cursor on the screen: the selected line.
  @discardableResult
  package func draw(in canvas: inout Canvas) -> Point? {
    let isWide = canvas.width >= 72
    let columns = columns(isWide ? 2 : 1, isShort: canvas.width < 36, signs: canvas.signs)
    let needed = columns.reduce(2) { $0 + $1.width }
    let width = min(canvas.width, max(needed, isWide ? 78 : 44))
    let height = min((columns.map(\.entries.count).max() ?? 0) + 2, canvas.height)
    scroll.setHeight(height - 2)
    return canvas.withinCenteredBox(
      width: width, height: height, title: heading(isWide: isWide)
    ) { draw(columns, in: &$0) }
  }

  private func heading(isWide: Bool) -> String {
    if let filter { return "Keys /\(filter)" }
    return isWide
      ? "Keys — \(title)   (/ narrows, Enter runs the key, Esc closes)" : "Keys — \(title)"
  }

  private func draw(_ columns: [Column], in canvas: inout Canvas) -> Point {
    let count = columns.map(\.entries.count).max() ?? 0
    let selected = selected
    let selectedRow = columns.lazy.compactMap { column in
      column.entries.firstIndex {
        if case .command(_, index: selected) = $0 { true } else { false }
      }
    }.first
    let first = min(
      max((selectedRow ?? 0) - canvas.height / 2, 0), max(count - canvas.height, 0))
    var cursor = canvas.screenPoint(x: 0, y: 0)
    var x = 0
    for (index, column) in columns.enumerated() {
      let isLast = index == columns.count - 1
      // The columns share what is left over.
      let spare = max(canvas.width - columns.reduce(0) { $0 + $1.width }, 0) / columns.count
      let width = isLast ? canvas.width - x : min(column.width + spare, canvas.width * 2 / 3)
      for (y, entry) in column.entries.dropFirst(first).prefix(canvas.height).enumerated() {
        let field = Rect(x: x, y: y, width: width, height: 1)
        let isSelected = canvas.within(field) { draw(entry, of: column, in: &$0) }
        if isSelected { cursor = canvas.screenPoint(x: x, y: y) }
      }
      x += width
    }
    if first > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: 0) }
    if first + canvas.height < count {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: canvas.height - 1)
    }
    return cursor
  }

  /// Draws an entry and returns whether it is the selected one.
  private func draw(_ entry: Entry, of column: Column, in canvas: inout Canvas) -> Bool {
    switch entry {
    case .title(let title):
      canvas.put(title, x: 1, y: 0, style: canvas.theme.headerTitle)
      return false
    case .command(let command, let index):
      let isSelected = index == selected
      canvas.mark(Rect(x: 0, y: 0, width: canvas.width, height: 1), as: .item(index))
      let base = isSelected ? canvas.theme.focus : .plain
      let keys = command.keys(isShort: column.isShort, canvas.signs)
      canvas.put(
        canvas.signs.cut(keys, to: column.keysWidth), x: 2, y: 0,
        style: base.overlaid(by: canvas.theme.hintKey))
      let start = column.keysWidth + 4
      canvas.put(
        canvas.signs.cut(command.help, to: canvas.width - start - 1), x: start, y: 0, style: base)
      return isSelected
    }
  }

  /// Divides the sections among columns of about the same height, in their order.
  private func columns(_ count: Int, isShort: Bool, signs: Signs) -> [Column] {
    var index = 0
    let blocks = groups.map { section, commands in
      [Entry.title(section.rawValue)]
        + commands.map { command in
          defer { index += 1 }
          return Entry.command(command, index: index)
        }
    }
    guard count == 2 else {
      return [column(blocks.flatMap(\.self), isShort: isShort, signs: signs)]
    }
    func height(_ part: some Sequence<[Entry]>) -> Int { part.reduce(0) { $0 + $1.count } }
    let split =
      (0...blocks.count).min { left, right in
        max(height(blocks.prefix(left)), height(blocks.dropFirst(left)))
          < max(height(blocks.prefix(right)), height(blocks.dropFirst(right)))
      } ?? 0
    return [blocks.prefix(split), blocks.dropFirst(split)].map {
      column($0.flatMap(\.self), isShort: isShort, signs: signs)
    }
  }

  private func column(_ entries: [Entry], isShort: Bool, signs: Signs) -> Column {
    var column = Column(entries: entries, isShort: isShort)
    for case .command(let command, _) in entries {
      column.keysWidth = max(
        column.keysWidth, displayWidth(of: command.keys(isShort: isShort, signs)))
    }
    for case .command(let command, _) in entries {
      column.width = max(column.width, column.keysWidth + 5 + displayWidth(of: command.help))
    }
    return column
  }
}

extension KeyCommand {
  /// The keys as the help shows them; only the first one where there is little room.
  fileprivate func keys(isShort: Bool, _ signs: Signs) -> String {
    isShort ? keys.first?.label(signs) ?? shownKeys(signs) : shownKeys(signs)
  }
}
