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
  /// The width of a swatch with the space after it.
  static let swatchWidth = 3

  /// Draws the line.
  ///
  /// - Parameters:
  ///   - fields: Where the columns are.
  ///   - marked: The column whose field commands act on; nil for none, or where it is not shown.
  ///   - canvas: Where to draw.
  func draw(_ fields: [ColumnField], marked: Int? = nil, in canvas: inout Canvas) {
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
    guard !cell.isWaiting else {
      let style = base.overlaid(by: canvas.theme.dim)
      canvas.within(area) { part in
        guard line == 0 else { return }
        part.putField(part.signs.waiting, x: 0, y: 0, columns: part.width, style: style)
      }
      return
    }
    let swatch = cell.swatch.map { canvas.theme.swatch($0) } ?? .plain
    canvas.within(area) { part in
      let style = base.overlaid(by: swatch)
      if swatch != .plain {
        part.fill(Rect(x: 0, y: 0, width: part.width, height: 1), style: style)
      }
      if cell.style == .columns {
        if line == 0 { drawFields(fields, marked: marked, style: style, in: &part) }
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
    if isCursor {
      // The colour of a flag stays readable on the cursor's background.
      let foreground = style.foreground
      style = style.overlaid(by: theme.cursorRow)
      if foreground != .standard { style.foreground = foreground }
    }
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

  private func drawFields(
    _ fields: [ColumnField], marked: Int?, style: Style, in canvas: inout Canvas
  ) {
    for field in fields where field.column < cell.fields.count {
      var content = cell.fields[field.column]
      content.style = style.overlaid(by: content.style)
      var (x, width) = (field.x, field.width)
      if let swatch = content.swatch, canvas.theme.showsSwatches, width > Self.swatchWidth {
        let area = Rect(x: x, y: 0, width: Self.swatchWidth - 1, height: 1)
        canvas.fill(area, style: Style(background: swatch))
        x += Self.swatchWidth
        width -= Self.swatchWidth
      }
      canvas.putField(
        content.text, x: x, y: 0, columns: width, alignment: field.alignment, style: content.style)
      drawMatches(of: content, x: x, width: width, alignment: field.alignment, in: &canvas)
      guard field.column == marked else { continue }
      let length = min(max(displayWidth(of: canvas.signs.visible(content.text)), 1), width)
      let start = field.alignment == .right ? width - length : 0
      canvas.overlay(
        Rect(x: x + start, y: 0, width: length, height: 1), style: canvas.theme.markedField)
    }
  }

  /// Highlights the parts of a field that match a search.
  private func drawMatches(
    of content: TableCell.Field, x: Int, width: Int, alignment: TextAlignment,
    in canvas: inout Canvas
  ) {
    guard !content.matches.isEmpty else { return }
    let signs = canvas.signs
    func columns(_ count: Int) -> Int {
      displayWidth(of: signs.visible(content.text.prefix(count), columns: width + 1))
    }
    let length = columns(content.text.count)
    let start = alignment == .right ? max(width - length, 0) : 0
    // The ellipsis of a truncated text is not part of the match.
    let end = length > width ? width - displayWidth(of: signs.ellipsis) : width
    for match in content.matches {
      let from = start + columns(match.lowerBound)
      let to = min(start + columns(match.upperBound), end)
      guard from < to else { continue }
      canvas.overlay(
        Rect(x: x + from, y: 0, width: to - from, height: 1), style: canvas.theme.match)
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
