/// A grid view for terminals: the rows of a table as cells of a fixed width, side by side.
///
/// It has everything that a ``TableView`` has, from the same data source and delegate: sections
/// with pinned headers, the index strip, batch updates, highlights, the mouse. Its cursor moves in
/// two dimensions: `TableMotion.left(_:)` and `TableMotion.right(_:)` by cells, up and down by
/// lines of cells, in the same column as far as it goes. A cell shows its text and, if
/// `TableView.rowHeight` is 2 or more, its detail text below; a cell of the style `columns` shows
/// its first two fields, and is filled with its first swatch. Column titles are not drawn.
public final class GridView: TableView {
  /// The minimum width of a cell, with the 3 columns of its gutter.
  ///
  /// As many cells as fit lie side by side, at least one, and share the whole width.
  public var cellWidth = 18

  override var titleLineCount: Int { 0 }

  override func rowsPerBand(in width: Int) -> Int { max(width / max(cellWidth, 1), 1) }

  override func drawBand(_ rows: Range<Int>, line: Int, y: Int, in canvas: inout Canvas) {
    for (position, row) in rows.enumerated() {
      let left = edge(position, width: canvas.width)
      let slot = Rect(
        x: left, y: y, width: edge(position + 1, width: canvas.width) - left, height: 1)
      canvas.within(slot) { part in
        // A deleted cell is seen to go where the next one is, but never hides the cursor.
        if row != state.cursor, let ghost = flashes.ghosts.first(where: { $0.row == row }) {
          drawGhost(ghost, line: line, y: 0, in: &part)
        } else {
          drawRow(row, line: line, y: 0, in: &part)
        }
      }
    }
  }

  override func row(of band: Range<Int>, atColumn x: Int) -> Int? {
    band.first { x < edge($0 + 1 - band.lowerBound, width: drawn.bodyWidth) }
  }

  override func arranged(_ cell: TableCell) -> TableCell {
    var cell = cell
    if cell.style == .columns {
      let (first, second) = (cell.fields.first, cell.fields.dropFirst().first)
      cell.text = first?.text ?? ""
      cell.textStyle = first?.style ?? .plain
      cell.detailText = second?.text ?? ""
      cell.detailStyle = second?.style ?? .plain
      cell.swatch = cell.swatch ?? cell.fields.lazy.compactMap(\.swatch).first
    }
    cell.style = rowHeight > 1 ? .subtitle : .standard
    return cell
  }

  /// The left edge of a cell, by its position in its line.
  private func edge(_ position: Int, width: Int) -> Int { position * width / state.rowsPerBand }
}
