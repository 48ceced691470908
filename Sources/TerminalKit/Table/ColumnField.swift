/// The horizontal position and width of a table column on the screen.
struct ColumnField: Hashable, Sendable {
  /// The index of the column in ``TableView/columns``.
  let column: Int
  /// The first column of cells, counted from the end of the gutter.
  let x: Int
  let width: Int
  let alignment: TextAlignment

  /// The space between two columns.
  static let gap = 2

  /// Distributes a width among columns.
  ///
  /// Every column gets its minimum width first, then the rest is shared up to the ideal widths.
  /// Columns at the right whose minimum width does not fit are left out.
  static func layOut(_ columns: [TableColumn], ideal: [Int], width: Int) -> [ColumnField] {
    var widths: [Int] = []
    var remaining = width
    for (column, ideal) in zip(columns, ideal) {
      let gap = widths.isEmpty ? 0 : Self.gap
      let minimum = min(column.minimumWidth, ideal)
      guard remaining >= minimum + gap else { break }
      widths.append(minimum)
      remaining -= minimum + gap
    }
    if widths.isEmpty, width > 0, !columns.isEmpty {
      widths = [width]
      remaining = 0
    }
    // The first column identifies the row, so it may grow first, to half of the width at most.
    if let first = widths.first {
      let more = max(min(ideal[0], width / 2) - first, 0)
      widths[0] += min(more, remaining)
      remaining -= min(more, remaining)
    }
    // The others grow by equal shares, so that a wide one does not take all the room.
    var growing = widths.indices.filter { widths[$0] < ideal[$0] }
    while remaining > 0, !growing.isEmpty {
      let share = max(remaining / growing.count, 1)
      for index in growing where remaining > 0 {
        let more = min(share, ideal[index] - widths[index], remaining)
        widths[index] += more
        remaining -= more
      }
      growing = growing.filter { widths[$0] < ideal[$0] }
    }
    var x = 0
    return widths.indices.map { index in
      defer { x += widths[index] + gap }
      return ColumnField(
        column: index, x: x, width: widths[index], alignment: columns[index].alignment)
    }
  }
}

extension TableView {
  /// Returns the positions and widths of the columns.
  ///
  /// Columns grow with the texts displayed so far and never shrink, so that they do not jump while
  /// scrolling.
  func columnFields(in width: Int, signs: Signs) -> [ColumnField] {
    guard !columns.isEmpty else { return [] }
    if widestSeen.count != columns.count { widestSeen = Array(repeating: 0, count: columns.count) }
    for cell in drawn.cells.values where cell.style == .columns {
      for (index, field) in cell.fields.prefix(columns.count).enumerated() {
        let most = columns[index].maximumWidth
        guard widestSeen[index] < most else { continue }
        let text = signs.visible(field.text, columns: most)
        widestSeen[index] = max(widestSeen[index], min(displayWidth(of: text), most))
      }
    }
    let ideal = zip(columns, widestSeen).map { column, seen in
      let title = displayWidth(of: column.title) + (column.sorting == nil ? 0 : 2)
      let ideal = max(column.idealWidth ?? 0, title, seen)
      return min(max(ideal, 1), column.maximumWidth)
    }
    return ColumnField.layOut(columns, ideal: ideal, width: width - RowDrawing.gutter)
  }

  func drawTitles(_ fields: [ColumnField], in canvas: inout Canvas) {
    let signs = canvas.signs
    for field in fields {
      let column = columns[field.column]
      let sign =
        switch column.sorting {
        case .ascending: " " + signs.ascending
        case .descending: " " + signs.descending
        case nil: ""
        }
      let title = signs.cut(column.title, to: field.width - displayWidth(of: sign)) + sign
      canvas.putField(
        title, x: RowDrawing.gutter + field.x, y: 0, columns: field.width,
        alignment: field.alignment, style: canvas.theme.columnTitle)
      let start = canvas.screenPoint(x: RowDrawing.gutter + field.x, y: 0).x
      drawn.titles.append((field.column, start..<start + field.width))
    }
  }
}
