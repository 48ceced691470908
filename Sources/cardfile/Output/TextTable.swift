import TerminalKit

/// Prints text in aligned columns.
///
/// The column widths are those of the first 1,000 rows, which are buffered. A wider cell in a later
/// row shifts the rest of its line.
struct TextTable {
  /// A column of the table.
  struct Column {
    let title: String
    /// Whether the column is aligned right.
    let isNumeric: Bool
  }

  private let columns: [Column]
  private let titles: [String]
  private var widths: [Int]
  /// The rows that wait for the column widths; nil once they were written.
  private var buffered: [[String]]? = []

  private static let rowsToMeasure = 1000
  private let widestCell: Int

  /// Creates a table; cells wider than `widestCell` columns are truncated.
  init(columns: [Column], widestCell: Int = .max) {
    self.columns = columns
    self.widestCell = widestCell
    titles = columns.map { Signs.unicode.cut($0.title, to: widestCell) }
    widths = titles.map { displayWidth(of: $0) }
  }

  mutating func write(_ cells: [String], to output: inout StandardOutput) throws {
    let cells = cells.map { Signs.unicode.cut($0, to: widestCell) }
    guard let rows = buffered else { return try writeLine(cells, to: &output) }
    for (index, cell) in cells.enumerated() {
      widths[index] = max(widths[index], displayWidth(of: cell))
    }
    buffered?.append(cells)
    if rows.count + 1 == Self.rowsToMeasure { try writeBuffered(to: &output) }
  }

  /// Writes the rows still buffered, and the titles even if there are no rows.
  mutating func finish(_ output: inout StandardOutput) throws { try writeBuffered(to: &output) }

  private mutating func writeBuffered(to output: inout StandardOutput) throws {
    guard let rows = buffered else { return }
    buffered = nil
    try writeLine(titles, to: &output)
    try writeLine(widths.map { String(repeating: "─", count: $0) }, to: &output)
    for row in rows { try writeLine(row, to: &output) }
  }

  private func writeLine(_ cells: [String], to output: inout StandardOutput) throws {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[index] - displayWidth(of: cell)))
      line += index > 0 ? "  " : ""
      line += columns[index].isNumeric ? padding + cell : cell + padding
    }
    while line.hasSuffix(" ") { line.removeLast() }
    try output.writeLine(line)
  }
}
