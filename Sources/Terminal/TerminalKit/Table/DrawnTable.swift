/// The result of a table's last drawing, for hit testing and to draw deleted rows once more.
struct DrawnTable {
  /// The table's rectangle on the screen.
  var frame = Rect(x: 0, y: 0, width: 0, height: 0)
  /// The width of the part beside the index strip.
  var bodyWidth = 0
  /// The line of the screen that shows the first of ``lines``.
  var firstLine = 0
  /// The content of each line from ``firstLine`` on.
  var lines: [TableLine] = []
  /// The section whose header covers the first line; nil for none.
  var pinnedSection: Int?
  /// The cells of the visible rows, by row number across all sections.
  var cells: [Int: TableCell] = [:]
  /// The positions and widths of the table's columns on the screen.
  var layout = ColumnLayout()
  var strip = IndexStrip(count: 0, height: 0)
  /// The first column of the index strip on the screen; `Int.max` if the strip is hidden.
  var stripStart = Int.max
  /// The position of the hardware cursor on the screen; nil if no row is under the cursor.
  var cursor: Point?

  /// Drops lines and cells when their row numbers are out of date.
  mutating func removeRows() {
    lines = []
    pinnedSection = nil
    cells = [:]
  }
}

/// The content of one line of a table on the screen.
enum TableLine: Hashable, Sendable {
  /// The header of a section.
  case header(Int)
  /// A band of rows, by the number of its first row across all sections, and the line within it,
  /// from 0.
  case row(Int, line: Int)
  /// The footer of a section.
  case footer(Int)
  /// A deleted row, by its index in ``TableFlashes/ghosts``.
  case ghost(Int)

  /// Whether it is a deleted row.
  var isGhost: Bool { if case .ghost = self { true } else { false } }
}
