import TerminalKit

/// A scrollable text, such as the statements of a save.
final class TextOverlay: Overlay {
  private let title: String
  private let text: [String]
  /// The lines as they were broken last, for a number of columns.
  private var lines: [String] = []
  private var columns = 0
  private var scroll = LineScroll()

  /// Shows lines of text; long ones are broken, and further lines of theirs indented.
  init(_ title: String, lines: [String]) {
    self.title = title
    text = lines
  }

  /// Breaks the lines, when the width has changed.
  private func wrap(columns: Int, signs: Signs) {
    guard columns != self.columns else { return }
    self.columns = columns
    lines = text.flatMap {
      TextWrap.lines(
        $0, columns: columns, limit: 1_000, signs: signs, hangingIndent: min(2, columns / 3))
    }
  }

  func draw(in canvas: inout Canvas) -> Point? {
    let margin = canvas.width < 60 ? 0 : 2
    wrap(columns: canvas.width - 2 * margin - 4, signs: canvas.signs)
    let height = min(lines.count + 2, canvas.height)
    let frame = Rect(
      x: margin, y: (canvas.height - height) / 2, width: canvas.width - 2 * margin, height: height)
    canvas.box(frame, title: "\(title)   (Esc closes)", style: canvas.theme.frame)
    scroll.setLines(lines.count)
    scroll.setHeight(height - 2)
    let inner = Rect(
      x: frame.minX + 2, y: frame.minY + 1, width: frame.size.width - 4, height: scroll.height)
    canvas.within(inner) { part in
      for (y, line) in scroll.visibleLines.enumerated() { part.put(lines[line], x: 0, y: y) }
    }
    scroll.drawMoreSigns(x: frame.maxX - 2, y: inner.minY, in: &canvas)
    return Point(x: inner.minX, y: inner.minY)
  }

  func handle(_ key: Key) -> OverlayReply {
    switch key {
    case .escape, .enter, .character("q"), .left: return .close
    case .character(" "): scroll.move(.pageDown(1))
    default: if let motion = TableMotion(key) { scroll.move(motion) }
    }
    return .stay
  }
}
