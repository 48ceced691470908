import CNcurses
package import TerminalKit

extension NcursesTerminal {
  /// Shows a canvas; ncurses sends only the differences from the previous one.
  ///
  /// - Parameters:
  ///   - canvas: The canvas to show; cells outside the screen are ignored.
  ///   - cursor: The position of the hardware cursor; nil, or a position off the screen, hides it.
  package func show(_ canvas: Canvas, cursor: Point?) {
    guard !isLeft else { return }
    let size = size
    if shown == nil {
      werase(screen)
      clearok(screen, true)
    }
    let width = min(canvas.bounds.width, size.width)
    let previous = shown.flatMap { $0.bounds == canvas.bounds ? $0 : nil }
    for y in 0..<min(canvas.bounds.height, size.height) {
      guard previous.map({ differs(canvas, $0, line: y, width: width) }) ?? true else { continue }
      draw(canvas, line: y, width: width)
    }
    let links = prepareLinks(of: canvas, over: previous)
    shown = canvas
    if let cursor, cursor.x >= 0, cursor.x < size.width, cursor.y >= 0, cursor.y < size.height {
      curs_set(1)
      wmove(screen, Int32(cursor.y), Int32(cursor.x))
    } else {
      curs_set(0)
    }
    wrefresh(screen)
    showLinks(links, on: canvas)
  }

  func differs(_ canvas: Canvas, _ previous: Canvas, line: Int, width: Int) -> Bool {
    (0..<width).contains { canvas[$0, line] != previous[$0, line] }
  }

  private func draw(_ canvas: Canvas, line: Int, width: Int) {
    var x = 0
    while x < width {
      let cell = canvas[x, line]
      let rendition = pairs.rendition(of: cell.style, support: capabilities.colorSupport)
      var columns = 1
      while x + columns < width, canvas[x + columns, line].character == nil { columns += 1 }
      let pieces = CellText.pieces(
        of: cell.character ?? " ", columns: columns, isUnicode: capabilities.isUnicode)
      for piece in pieces {
        var text = piece.text
        text.append(0)
        cn_put(
          screen, Int32(line), Int32(x + piece.column), &text, rendition.attributes,
          rendition.pair)
      }
      x += columns
    }
  }
}
