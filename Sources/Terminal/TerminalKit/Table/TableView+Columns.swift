extension TableView {
  /// The columns that the next cells are shown in, as indexes of ``columns``.
  ///
  /// A data source may leave the fields of other columns blank. All columns before the first
  /// drawing.
  package var displayedColumns: [Int] {
    drawn.layout.fields.isEmpty ? Array(columns.indices) : drawn.layout.fields.map(\.column)
  }

  /// Moves the mark to another column, from the last to the first and back.
  ///
  /// - Parameter count: Positive for the columns to the right, negative to the left.
  package func moveMarkedColumn(by count: Int) {
    guard !columns.isEmpty else { return }
    let sum = ((markedColumn ?? 0) + count % columns.count) % columns.count
    markedColumn = sum < 0 ? sum + columns.count : sum
  }

  /// Lays the columns out for a width of the rows, without what the count of columns that are left
  /// out covers in the title line.
  func layOutColumns(in width: Int, titleWidth: Int?, signs: Signs) {
    drawn.layout = ColumnLayout()
    guard !columns.isEmpty else { return }
    var request = ColumnLayout.Request(
      columns: columns, ideal: idealWidths(signs), content: contentWidths,
      width: width - RowDrawing.gutter, start: firstColumn, marked: markedColumn,
      isNarrow: width < columnsMinimumWidth)
    (drawn.layout, firstColumn) = ColumnLayout.following(request)
    let count = leftOutText(signs, isNarrow: request.isNarrow)
    guard let titleWidth else { return }
    let room = titleWidth - RowDrawing.gutter - displayWidth(of: count) - 1
    guard !count.isEmpty, lastTitleEnd(signs) > room, room > 0 else { return }
    request.width = min(room, request.width)
    (drawn.layout, firstColumn) = ColumnLayout.following(request)
  }

  private var contentWidths: [Int] {
    zip(columns, widestSeen).map { max($0.idealWidth ?? 0, $1, 1) }
  }

  private func idealWidths(_ signs: Signs) -> [Int] {
    zip(columns, contentWidths).map { column, content in
      let ideal = max(content, displayWidth(of: fullTitle(column, signs)))
      return min(ideal, max(column.maximumWidth, column.fixedWidth ?? 0))
    }
  }

  /// Notes the widths of the texts about to be drawn.
  ///
  /// Columns grow with the texts displayed so far and never shrink, so that they do not jump while
  /// scrolling.
  func measureCells(_ signs: Signs) {
    for cell in drawn.cells.values where cell.style == .columns {
      for column in displayedColumns where column < min(cell.fields.count, columns.count) {
        let most = columns[column].maximumWidth
        guard widestSeen[column] < most else { continue }
        let field = cell.fields[column]
        let text = signs.visible(field.text, columns: most)
        let width = displayWidth(of: text) + (field.swatch == nil ? 0 : RowDrawing.swatchWidth)
        widestSeen[column] = max(widestSeen[column], min(width, most))
      }
    }
  }

  /// Pads the numbers of the rows about to be drawn, so that their decimal points are in one line.
  func alignDecimals() {
    for column in displayedColumns
    where columns[column].isWhole && columns[column].alignment == .right {
      let lengths = drawn.cells.compactMapValues { cell in
        column < cell.fields.count ? Self.fractionLength(of: cell.fields[column].text) : nil
      }
      guard let most = lengths.values.max(), most > 0 else { continue }
      for (row, length) in lengths where length < most {
        drawn.cells[row]?.fields[column].text += String(repeating: " ", count: most - length)
      }
    }
  }

  /// The number of characters of a number from its decimal point on; nil for any other text.
  private static func fractionLength(of text: String) -> Int? {
    guard let last = text.utf8.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last),
      !text.contains("e")
    else { return nil }
    return text.utf8.lastIndex(of: UInt8(ascii: ".")).map { text.utf8[$0...].count } ?? 0
  }

  // MARK: Titles

  private func fullTitle(_ column: TableColumn, _ signs: Signs) -> String {
    signs.visible(column.title, columns: 60) + sortSign(column, signs)
  }

  private func sortSign(_ column: TableColumn, _ signs: Signs) -> String {
    switch column.sorting {
    case .ascending: " " + signs.ascending
    case .descending: " " + signs.descending
    case nil: ""
    }
  }

  /// Where the last title ends, counted from the end of the gutter.
  private func lastTitleEnd(_ signs: Signs) -> Int {
    guard let last = drawn.layout.fields.last else { return 0 }
    guard last.alignment == .left else { return last.x + last.width }
    return last.x + min(last.width, displayWidth(of: fullTitle(columns[last.column], signs)))
  }

  /// The numbers of columns to the left and to the right that are left out; empty for none.
  ///
  /// Where there is hardly room for one column, those that are hidden are among those to the right.
  private func leftOutText(_ signs: Signs, isNarrow: Bool) -> String {
    let (before, after) = (
      drawn.layout.countBefore, drawn.layout.countAfter + (isNarrow ? hiddenColumnCount : 0)
    )
    let left = before > 0 ? "\(signs.moreLeft) +\(before)" : ""
    let right = after > 0 ? "+\(after) \(signs.moreRight)" : ""
    return left + (left.isEmpty || right.isEmpty ? "" : " ") + right
  }

  /// Draws the titles of the columns, the marked one underlined, and how many are left out.
  func drawTitles(in canvas: inout Canvas, width: Int) {
    let signs = canvas.signs
    let line = Rect(x: 0, y: 0, width: width, height: 1)
    canvas.within(line) { part in
      for field in drawn.layout.fields {
        let column = columns[field.column]
        let sign = sortSign(column, signs)
        let title = signs.cut(column.title, to: field.width - displayWidth(of: sign)) + sign
        part.putField(
          title, x: RowDrawing.gutter + field.x, y: 0, columns: field.width,
          alignment: field.alignment, style: part.theme.columnTitle)
        guard field.column == markedColumn else { continue }
        let length = min(displayWidth(of: title), field.width)
        let start = field.alignment == .right ? field.width - length : 0
        part.overlay(
          Rect(x: RowDrawing.gutter + field.x + start, y: 0, width: length, height: 1),
          style: part.theme.markedTitle)
      }
    }
    let count = leftOutText(signs, isNarrow: width < columnsMinimumWidth)
    guard !count.isEmpty else { return }
    canvas.put(
      count, x: canvas.width - displayWidth(of: count), y: 0, style: canvas.theme.columnTitle)
  }
}
