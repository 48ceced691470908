extension HelpPanel {
  /// What stands on one line of one column of the help.
  private enum Entry {
    case title(String)
    case binding(KeyBinding<Action>, place: Int)
  }

  /// Draws the help in the middle of the canvas, over what is there.
  ///
  /// Groups stand in two columns where there is room; what is too long scrolls with the choice.
  ///
  /// - Returns: The place of the hardware cursor on the screen: on the chosen line.
  @discardableResult
  public func draw(in canvas: inout Canvas) -> Point {
    let isWide = canvas.width >= 72
    let rows = rows(columns: isWide ? 2 : 1)
    let width = min(canvas.width, isWide ? 78 : 44)
    let height = min(rows.count + 2, canvas.height)
    let frame = Rect(
      x: (canvas.width - width) / 2, y: max((canvas.height - height) / 2, 0), width: width,
      height: height)
    canvas.box(frame, title: heading(isWide: isWide), style: canvas.theme.frame)
    let inner = Rect(
      x: frame.minX + 1, y: frame.minY + 1, width: frame.size.width - 2,
      height: frame.size.height - 2)
    return canvas.within(inner) { part in draw(rows, in: &part) }
  }

  private func heading(isWide: Bool) -> String {
    if let filter { return "Keys /\(filter)" }
    return isWide
      ? "Keys — \(title)   (/ narrows, Enter runs the key, Esc closes)" : "Keys — \(title)"
  }

  private func draw(_ rows: [[Entry?]], in canvas: inout Canvas) -> Point {
    let chosen = rows.firstIndex { row in
      row.contains { if case .binding(_, place: selected)? = $0 { true } else { false } }
    }
    let first = min(max((chosen ?? 0) - canvas.height / 2, 0), max(rows.count - canvas.height, 0))
    var cursor = Point(x: canvas.part.minX, y: canvas.part.minY)
    for (y, row) in rows.dropFirst(first).prefix(canvas.height).enumerated() {
      let columns = canvas.width / row.count
      for (place, entry) in row.enumerated() {
        guard let entry else { continue }
        let field = Rect(x: place * columns, y: y, width: columns, height: 1)
        let isChosen = canvas.within(field) { part in draw(entry, in: &part) }
        if isChosen {
          cursor = Point(x: canvas.part.minX + field.minX, y: canvas.part.minY + y)
        }
      }
    }
    if first > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: 0) }
    if first + canvas.height < rows.count {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: canvas.height - 1)
    }
    return cursor
  }

  /// Draws an entry and tells whether it is the chosen one.
  private func draw(_ entry: Entry, in canvas: inout Canvas) -> Bool {
    switch entry {
    case .title(let title):
      canvas.put(title, x: 1, y: 0, style: canvas.theme.headerTitle)
      return false
    case .binding(let binding, let place):
      let isChosen = place == selected
      let base = isChosen ? canvas.theme.focus : .plain
      let keys = binding.shownKeys(canvas.signs)
      let used = canvas.put(keys, x: 2, y: 0, style: base.overlaid(by: canvas.theme.hintKey))
      let start = max(15, used + 4)
      let help = canvas.signs.cut(binding.help, to: canvas.width - start - 1)
      canvas.put(help, x: start, y: 0, style: base)
      return isChosen
    }
  }

  /// The lines of the help: each has an entry or nothing in each column.
  private func rows(columns: Int) -> [[Entry?]] {
    var place = 0
    let blocks = groups.map { section, bindings in
      [Entry.title(section.rawValue)]
        + bindings.map { binding in
          defer { place += 1 }
          return Entry.binding(binding, place: place)
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
