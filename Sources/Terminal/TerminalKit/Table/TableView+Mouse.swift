/// The element of a table at a position on the screen.
package enum TableHit: Hashable, Sendable {
  /// The title of a column; the value is its index in ``TableView/columns``.
  case columnTitle(Int)
  /// A row.
  case row(TablePath)
  /// The header of a section.
  case header(Int)
  /// A title of the index strip; the value is the section it leads to, which may be one before or
  /// after those that the table has.
  case index(Int)
}

extension TableView {
  /// Returns the element at a position on the screen; nil if there is none.
  package func hit(at point: Point) -> TableHit? {
    guard !isHidden, drawn.frame.contains(point) else { return nil }
    guard point.y >= drawn.firstLine else {
      let x = point.x - drawn.frame.minX - RowDrawing.gutter
      let field = drawn.layout.fields.last { $0.x <= x }
      return field.flatMap { x < $0.x + $0.width ? .columnTitle($0.column) : nil }
    }
    let line = point.y - drawn.firstLine
    if point.x >= drawn.stripStart {
      return drawn.strip.title(hitOnLine: line).map { .index(indexSections[$0]) }
    }
    guard drawn.lines.indices.contains(line) else { return nil }
    if line == 0, let section = drawn.pinnedSection { return .header(section) }
    switch drawn.lines[line] {
    case .header(let section): return .header(section)
    case .row(let first, _):
      let band = state.rows(besideRow: first)
      return row(of: band, atColumn: point.x - drawn.frame.minX)
        .flatMap { state.offsets.path(of: $0) }.map { .row($0) }
    case .footer, .ghost: return nil
    }
  }

  /// Handles a mouse event.
  ///
  /// A click on a row moves the cursor to it; a click on a header or the index strip moves it to
  /// the section, and so does dragging along the strip. A double click chooses the row. The wheel
  /// scrolls by three lines.
  ///
  /// - Returns: Whether the table handled the event.
  @discardableResult
  public func handle(_ event: MouseEvent) -> Bool {
    guard !isHidden, drawn.frame.contains(event.position) else { return false }
    switch (event.kind, hit(at: event.position)) {
    case (.wheelUp, _): scroll(byLines: -3)
    case (.wheelDown, _): scroll(byLines: 3)
    case (.press, .row(let path)): moveCursor(to: path)
    case (.doublePress, .row(let path)):
      moveCursor(to: path)
      chooseCursorRow()
    case (.press, .header(let section)), (.press, .index(let section)),
      (.drag, .index(let section)):
      move(.section(section))
    default: return false
    }
    return true
  }
}
