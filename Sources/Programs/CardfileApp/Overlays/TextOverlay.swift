import TerminalKit

/// A scrollable text, such as the statements of a save.
final class TextOverlay: Overlay {
  private let title: String
  private let text: [String]
  /// The lines as they were broken last, for a number of columns.
  private var lines: [String] = []
  private var columns = 0
  private var top = 0
  private var room = 1

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
    room = max(height - 2, 1)
    top = min(top, max(lines.count - room, 0))
    let inner = Rect(
      x: frame.minX + 2, y: frame.minY + 1, width: frame.size.width - 4, height: room)
    canvas.within(inner) { part in
      for (y, line) in lines.dropFirst(top).prefix(room).enumerated() {
        part.put(line, x: 0, y: y)
      }
    }
    if top > 0 { canvas.put(canvas.signs.moreAbove, x: frame.maxX - 2, y: inner.minY) }
    if top + room < lines.count {
      canvas.put(canvas.signs.moreBelow, x: frame.maxX - 2, y: inner.maxY - 1)
    }
    return Point(x: inner.minX, y: inner.minY)
  }

  func handle(_ key: Key) -> OverlayReply {
    switch key {
    case .escape, .enter, .character("q"), .left: return .close
    case .down, .character("j"): top += 1
    case .up, .character("k"): top -= 1
    case .pageDown, .control("f"), .character(" "), .control("d"): top += room
    case .pageUp, .control("b"), .control("u"): top -= room
    case .home, .character("g"): top = 0
    case .end, .character("G"): top = lines.count
    default: break
    }
    top = min(max(top, 0), max(lines.count - room, 0))
    return .stay
  }
}
