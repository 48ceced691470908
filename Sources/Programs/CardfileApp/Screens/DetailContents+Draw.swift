import ListProviders
import TerminalKit

extension DetailContents {
  /// Draws one line of the page, with the matches of patterns highlighted.
  func draw(
    _ line: Int, isCursor: Bool, isFirst: Bool, highlighting patterns: [TextPattern], y: Int,
    in canvas: inout Canvas
  ) {
    let style = isCursor ? canvas.theme.cursorRow : .plain
    if isFirst { canvas.put(canvas.signs.cursor, x: 0, y: y, style: canvas.theme.cursorSign) }
    draw(line, style: style, y: y, in: &canvas)
    drawLink(line, y: y, in: &canvas)
    canvas.highlight(patterns, columns: 2..<canvas.width, y: y)
  }

  /// Makes a value, or a part of it, that is an address a link.
  private func drawLink(_ line: Int, y: Int, in canvas: inout Canvas) {
    let text: String
    switch lines[line] {
    case .field(_, _, let value, _, _): text = value
    case .more(let part): text = part
    default: return
    }
    guard let address = rows.first(where: { $0.lines.contains(line) })?.address else { return }
    let columns = min(displayWidth(of: text), canvas.width - valueX - 1)
    canvas.link(Rect(x: valueX, y: y, width: columns, height: 1), to: address)
  }

  private func draw(_ line: Int, style: Style, y: Int, in canvas: inout Canvas) {
    let theme = canvas.theme
    switch lines[line] {
    case .blank: break
    case .rule(let title):
      canvas.rule(x: 0, y: y, columns: canvas.width - 1, style: theme.headerRule)
      canvas.put(" \(title) ", x: 1, y: y, style: theme.headerTitle, limit: canvas.width - 2)
    case .more(let text): canvas.put(text, x: valueX, y: y, style: style)
    case .remark(let text):
      canvas.put(
        canvas.signs.cut(canvas.signs.own(text), to: canvas.width - 3), x: 2, y: y,
        style: theme.dim)
    case .field(let label, let isChanged, let value, let note, let isDim):
      putLabel(label, isChanged: isChanged, y: y, style: style, in: &canvas)
      let valueStyle = isDim ? style.overlaid(by: theme.dim) : style
      let used = canvas.put(
        canvas.signs.cut(value, to: canvas.width - valueX - 1), x: valueX, y: y, style: valueStyle)
      let x = max(valueX + used + 2, noteX)
      guard !note.isEmpty, x + 8 < canvas.width else { return }
      canvas.put(canvas.signs.cut(note, to: canvas.width - x - 1), x: x, y: y, style: theme.dim)
    case .relationship(let relationship):
      putLabel(
        relationship.label, isChanged: relationship.isChanged, y: y, style: style, in: &canvas)
      draw(relationship, y: y, style: style, in: &canvas)
    }
  }

  private func putLabel(
    _ label: String, isChanged: Bool, y: Int, style: Style, in canvas: inout Canvas
  ) {
    canvas.putField(label, x: 2, y: y, columns: labelWidth, style: style)
    if isChanged {
      canvas.put(canvas.signs.changed, x: valueX - 2, y: y, style: canvas.theme.changedRow)
    }
  }

  private func draw(_ relationship: Relationship, y: Int, style: Style, in canvas: inout Canvas) {
    let signs = canvas.signs
    canvas.put(relationship.isToMany ? signs.toMany : signs.toOne, x: valueX, y: y, style: style)
    var x = valueX + displayWidth(of: signs.toMany) + 1
    let end = canvas.width - 1
    canvas.putField(
      relationship.entityName, x: x, y: y, columns: min(entityWidth, end - x), style: style)
    x += entityWidth + 3
    let note = isWide ? relationship.wideNote : relationship.note
    guard x < end else { return }
    var text = relationship.names
    if let count = relationship.count {
      text = signs.fit(groupedDigits(count), to: max(groupedDigits(count).count, 4)) + "  " + text
    } else if text.isEmpty {
      text = signs.null
    }
    x += canvas.put(signs.cut(text, to: end - x), x: x, y: y, style: style) + 2
    // The note gives way to the names: it moves to the right, as far as there is room.
    x = max(canvas.width - (isWide ? 54 : 23), x)
    guard !note.isEmpty, x + 8 < end else { return }
    canvas.put(signs.cut(signs.own(note), to: end - x), x: x, y: y, style: canvas.theme.dim)
  }
}
