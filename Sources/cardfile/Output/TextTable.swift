import TerminalKit

/// Aligned columns of text.
///
/// The widths come from the first rows, which are held back until there are enough of them; a later cell that is wider
/// pushes its line to the right, so that nothing is lost.
struct TextTable {
  /// A column: its title, and whether it holds numbers (aligned right).
  struct Column {
    let title: String
    let isNumeric: Bool
  }

  private let columns: [Column]
  private let titles: [String]
  private var widths: [Int]
  private var heldBack: [[String]]? = []

  private static let rowsToMeasure = 1000
  private let widestCell: Int

  /// Makes a table; cells are cut at a width where long text would push everything else out of sight.
  init(columns: [Column], widestCell: Int = .max) {
    self.columns = columns
    self.widestCell = widestCell
    titles = columns.map { Signs.unicode.cut($0.title, to: widestCell) }
    widths = titles.map { displayWidth(of: $0) }
  }

  mutating func write(_ cells: [String], to output: inout StandardOutput) throws {
    let cells = cells.map { Signs.unicode.cut($0, to: widestCell) }
    guard let rows = heldBack else { return try writeLine(cells, to: &output) }
    for (index, cell) in cells.enumerated() {
      widths[index] = max(widths[index], displayWidth(of: cell))
    }
    heldBack?.append(cells)
    if rows.count + 1 == Self.rowsToMeasure { try writeHeldBack(to: &output) }
  }

  /// Writes what is still held back; the titles stand there even when there is no row.
  mutating func finish(_ output: inout StandardOutput) throws { try writeHeldBack(to: &output) }

  private mutating func writeHeldBack(to output: inout StandardOutput) throws {
    guard let rows = heldBack else { return }
    heldBack = nil
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
