/// Where a column stands on the lines of a table.
struct ColumnField: Hashable, Sendable {
  /// Which column it is.
  let column: Int
  /// Its first column of the screen, after the signs in front of the row.
  let x: Int
  let width: Int
  let alignment: TextAlignment

  /// Between two columns.
  static let gap = 2

  /// Shares out a width among columns.
  ///
  /// All get their least width first, then what they want as far as it reaches; columns for which
  /// there is no room at all are left out at the right.
  static func layOut(_ columns: [TableColumn], wanted: [Int], width: Int) -> [ColumnField] {
    var widths: [Int] = []
    var left = width
    for (column, wanted) in zip(columns, wanted) {
      let gap = widths.isEmpty ? 0 : Self.gap
      let least = min(column.minimumWidth, wanted)
      guard left >= least + gap else { break }
      widths.append(least)
      left -= least + gap
    }
    if widths.isEmpty, width > 0, !columns.isEmpty {
      widths = [width]
      left = 0
    }
    // The first column says what a row is, so it comes first, with up to half of the width.
    if let first = widths.first {
      let more = max(min(wanted[0], width / 2) - first, 0)
      widths[0] += min(more, left)
      left -= min(more, left)
    }
    // The others step by step, so that a long one does not starve the rest.
    var open = widths.indices.filter { widths[$0] < wanted[$0] }
    while left > 0, !open.isEmpty {
      let share = max(left / open.count, 1)
      for place in open where left > 0 {
        let more = min(share, wanted[place] - widths[place], left)
        widths[place] += more
        left -= more
      }
      open = open.filter { widths[$0] < wanted[$0] }
    }
    var x = 0
    return widths.indices.map { place in
      defer { x += widths[place] + gap }
      return ColumnField(
        column: place, x: x, width: widths[place], alignment: columns[place].alignment)
    }
  }
}

extension TableView {
  /// Where the columns stand now.
  ///
  /// They grow with the texts that are seen and do not shrink again,
  /// so that scrolling does not make them dance.
  func columnFields(in width: Int, signs: Signs) -> [ColumnField] {
    guard !columns.isEmpty else { return [] }
    if widestSeen.count != columns.count { widestSeen = Array(repeating: 0, count: columns.count) }
    for cell in drawn.cells.values where cell.style == .columns {
      for (place, field) in cell.fields.prefix(columns.count).enumerated() {
        let most = columns[place].maximumWidth
        guard widestSeen[place] < most else { continue }
        let text = signs.visible(field.text, columns: most)
        widestSeen[place] = max(widestSeen[place], min(displayWidth(of: text), most))
      }
    }
    let wanted = zip(columns, widestSeen).map { column, seen in
      let title = displayWidth(of: column.title) + (column.sorting == nil ? 0 : 2)
      let ideal = max(column.idealWidth ?? 0, title, seen)
      return min(max(ideal, 1), column.maximumWidth)
    }
    return ColumnField.layOut(columns, wanted: wanted, width: width - RowDrawing.gutter)
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
    }
  }
}
