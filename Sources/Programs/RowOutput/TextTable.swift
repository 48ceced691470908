import TerminalKit

/// Prints text in aligned columns.
///
/// The column widths are those of the first 1,000 rows, which are buffered. A wider cell in a later
/// row shifts the rest of its line. On a terminal wide columns of text are truncated so that a line
/// fits, as long as each keeps some width.
package struct TextTable {
  /// A column of the table.
  package struct Column {
    let title: String
    /// Whether the column is aligned right.
    let isNumeric: Bool

    /// Creates a column.
    package init(title: String, isNumeric: Bool) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  private let columns: [Column]
  private let titles: [String]
  private var widths: [Int]
  /// The rows that wait for the column widths; nil once they were written.
  private var buffered: [[String]]? = []

  private static let rowsToMeasure = 1000
  private let widestCell: Int
  /// The least width of a column that is truncated to fit the terminal.
  private static let leastWidth = 8
  /// Whether columns are truncated to ``widths``.
  private var isFitted = false

  /// Creates a table; cells wider than `widestCell` columns are truncated.
  package init(columns: [Column], widestCell: Int = .max) {
    self.columns = columns
    self.widestCell = widestCell
    titles = columns.map { Signs.unicode.cut($0.title, to: widestCell) }
    widths = titles.map { displayWidth(of: $0) }
  }

  package mutating func write(_ cells: [String], to output: inout some OutputSink) throws {
    let cells = cells.map { Signs.unicode.cut($0, to: widestCell) }
    guard let rows = buffered else { return try writeLine(cells, to: &output) }
    for (index, cell) in cells.enumerated() {
      widths[index] = max(widths[index], displayWidth(of: cell))
    }
    buffered?.append(cells)
    if rows.count + 1 == Self.rowsToMeasure { try writeBuffered(to: &output) }
  }

  /// Writes the rows still buffered, and the titles even if there are no rows.
  package mutating func finish(_ output: inout some OutputSink) throws {
    try writeBuffered(to: &output)
  }

  private mutating func writeBuffered(to output: inout some OutputSink) throws {
    guard let rows = buffered else { return }
    buffered = nil
    if let room = output.columns { fit(in: room) }
    try writeLine(titles, to: &output)
    try writeLine(widths.map { String(repeating: "─", count: $0) }, to: &output)
    for row in rows { try writeLine(row, to: &output) }
  }

  /// Makes the widest columns of text narrower, until a line fits.
  private mutating func fit(in room: Int) {
    var excess = widths.reduce(2 * (widths.count - 1), +) - room
    while excess > 0 {
      let narrowed = widths.indices.filter {
        !columns[$0].isNumeric && widths[$0] > Self.leastWidth
      }.max { widths[$0] < widths[$1] }
      guard let narrowed else { return }
      widths[narrowed] -= 1
      excess -= 1
      isFitted = true
    }
  }

  private func writeLine(_ cells: [String], to output: inout some OutputSink) throws {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let cell =
        isFitted && !columns[index].isNumeric ? Signs.unicode.cut(cell, to: widths[index]) : cell
      let padding = String(repeating: " ", count: max(0, widths[index] - displayWidth(of: cell)))
      line += index > 0 ? "  " : ""
      line += columns[index].isNumeric ? padding + cell : cell + padding
    }
    while line.hasSuffix(" ") { line.removeLast() }
    try output.writeLine(line)
  }
}
