/// Draws one line of one row.
struct RowDrawing {
  let cell: TableCell
  /// The line within the row, from 0.
  let line: Int
  let y: Int
  let isCursor: Bool
  let isSelected: Bool
  let rowHeight: Int
  /// The style of the highlight after a change; nil for no highlight.
  let flash: Style?

  /// The width of the gutter in front of a row, with glyphs for cursor, flag and selection.
  static let gutter = 3

  func draw(_ fields: [ColumnField], in canvas: inout Canvas) {
    let base = rowStyle(canvas.theme)
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1), style: base)
    if isCursor {
      let style = base.overlaid(by: canvas.theme.cursorSign)
      canvas.put(canvas.signs.cursor, x: 0, y: y, style: style)
    }
    if line == 0 {
      let flag = flagSign(canvas.signs)
      canvas.put(flag, x: 1, y: y, style: base)
      let x = flag.isEmpty ? 1 : 2
      if isSelected { canvas.put(canvas.signs.selected, x: x, y: y, style: base) }
    }
    let area = Rect(x: Self.gutter, y: y, width: canvas.width - Self.gutter, height: 1)
    let swatch = cell.swatch.map { canvas.theme.swatch($0) } ?? .plain
    canvas.within(area) { part in
      let style = base.overlaid(by: swatch)
      if swatch != .plain {
        part.fill(Rect(x: 0, y: 0, width: part.width, height: 1), style: style)
      }
      if cell.style == .columns {
        if line == 0 { drawFields(fields, style: style, in: &part) }
      } else {
        drawTexts(style: style, in: &part)
      }
    }
  }

  private func rowStyle(_ theme: Theme) -> Style {
    var style = Style.plain
    switch cell.flag {
    case .none: break
    case .deleted: style = theme.deletedRow
    case .changed: style = theme.changedRow
    case .inserted: style = theme.insertedRow
    }
    if isSelected { style = style.overlaid(by: theme.selectedRow) }
    if isCursor { style = style.overlaid(by: theme.cursorRow) }
    return flash.map { style.overlaid(by: $0) } ?? style
  }

  private func flagSign(_ signs: Signs) -> String {
    switch cell.flag {
    case .none: ""
    case .deleted: signs.deleted
    case .changed: signs.changed
    case .inserted: signs.inserted
    }
  }

  private func drawFields(_ fields: [ColumnField], style: Style, in canvas: inout Canvas) {
    for field in fields where field.column < cell.fields.count {
      let content = cell.fields[field.column]
      canvas.putField(
        content.text, x: field.x, y: 0, columns: field.width, alignment: field.alignment,
        style: style.overlaid(by: content.style))
    }
  }

  private func drawTexts(style: Style, in canvas: inout Canvas) {
    let signs = canvas.signs
    let textStyle = style.overlaid(by: cell.textStyle)
    let detailStyle = style.overlaid(by: cell.detailStyle)
    var room = canvas.width
    let accessory = accessorySign(signs)
    if line == 0, !accessory.isEmpty, room > 4 {
      canvas.put(accessory, x: room - 1, y: 0, style: style)
      room -= 2
    }
    switch cell.style {
    case .standard, .columns:
      if line == 0 { canvas.put(signs.cut(cell.text, to: room), x: 0, y: 0, style: textStyle) }
    case .value1:
      guard line == 0 else { return }
      // The detail gets half of the width at most, so that the text stays visible.
      let detail = signs.cut(cell.detailText, to: room / 2)
      let columns = displayWidth(of: detail)
      let text = signs.cut(cell.text, to: room - (columns > 0 ? columns + 2 : 0))
      canvas.put(text, x: 0, y: 0, style: textStyle)
      canvas.put(detail, x: room - columns, y: 0, style: detailStyle)
    case .value2:
      guard line == 0 else { return }
      let key = min(16, room / 3)
      canvas.putField(
        cell.text, x: 0, y: 0, columns: key, alignment: .right,
        style: textStyle.overlaid(by: canvas.theme.dim))
      canvas.put(
        signs.cut(cell.detailText, to: room - key - 2), x: key + 2, y: 0, style: detailStyle)
    case .subtitle where rowHeight > 1:
      let isText = line == 0
      // Dim text is hard to read on a colour.
      let dim = cell.swatch == nil ? canvas.theme.dim : .plain
      let style = isText ? textStyle : detailStyle.overlaid(by: dim)
      guard line < 2 else { return }
      canvas.put(
        signs.cut(isText ? cell.text : cell.detailText, to: room), x: 0, y: 0, style: style)
    case .subtitle:
      let used = canvas.put(signs.cut(cell.text, to: room), x: 0, y: 0, style: textStyle) + 2
      canvas.put(
        signs.cut(cell.detailText, to: room - used), x: used, y: 0,
        style: detailStyle.overlaid(by: canvas.theme.dim))
    }
  }

  private func accessorySign(_ signs: Signs) -> String {
    switch cell.accessory {
    case .none: ""
    case .disclosure: signs.disclosure
    case .detail: signs.detail
    case .checkmark: signs.checkmark
    }
  }
}
