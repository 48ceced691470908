/// The columns of a table that are on the screen, with their positions and widths.
///
/// The first column, which identifies the row, and the one that rows are sorted by are always shown;
/// the others begin at a column that follows the marked one, and all keep their order. Columns of
/// numbers and dates get the width of their texts, then columns of text share the rest. What is left
/// then shows the whole titles of narrow columns.
struct ColumnLayout: Hashable, Sendable {
  /// The columns of a table and what is known of their widths.
  struct Request: Hashable, Sendable {
    var columns: [TableColumn]
    /// The width of the widest text of each column, its title included.
    var ideal: [Int]
    /// The width of the widest text of each column without its title; empty for ``ideal``.
    var content: [Int] = []
    /// The width for all columns, without the gutter.
    var width: Int
    /// The first column after the fixed ones.
    var start: Int
    /// The column that the marked one is; nil for none.
    var marked: Int?
    /// Whether there is room for few columns: the first, the marked and the sorted one, then the
    /// others that fit, without scrolling sideways.
    var isNarrow = false
  }

  /// The fields from left to right.
  private(set) var fields: [ColumnField] = []
  /// The number of columns left out between the fixed ones and the first of the others.
  private(set) var countBefore = 0
  /// The number of columns left out after the last one.
  private(set) var countAfter = 0

  init() {}

  init(_ request: Request) {
    guard !request.columns.isEmpty, request.width > 0 else { return }
    let start = max(request.start, 1)
    let order = request.order(start: start)
    let widths = request.widths(of: order)
    var x = 0
    fields = zip(order, widths).map { column, width in
      defer { x += width + ColumnField.gap }
      return ColumnField(
        column: column, x: x, width: width, alignment: request.columns[column].alignment)
    }
    let shown = Set(fields.map(\.column))
    let hidden = request.columns.indices.filter { !shown.contains($0) }
    countBefore = request.isNarrow ? 0 : hidden.count { $0 < start }
    countAfter = hidden.count - countBefore
  }

  /// Lays out columns so that the marked one is on the screen, and returns the first column after
  /// the fixed ones with which it is.
  static func following(_ request: Request) -> (layout: ColumnLayout, start: Int) {
    var request = request
    let marked = request.marked ?? 0
    request.start = max(min(request.start, marked), 1)
    var layout = ColumnLayout(request)
    while request.start < marked, !layout.fields.contains(where: { $0.column == marked }) {
      request.start += 1
      layout = ColumnLayout(request)
    }
    return (layout, request.start)
  }

  /// The number of cells after the gutter that the fields take.
  var usedWidth: Int { fields.last.map { $0.x + $0.width } ?? 0 }
}

extension ColumnLayout.Request {
  /// The columns that fit, in the order in which they are shown.
  fileprivate func order(start: Int) -> [Int] {
    let sorted = columns.firstIndex { $0.sorting != nil }
    if isNarrow {
      let first = [marked, sorted == marked ? nil : sorted].compactMap(\.self)
        .filter { $0 > 0 && $0 < columns.count }
      let others = columns.indices.filter { $0 > 0 && !first.contains($0) }
      let shown = fittingAnywhere([0] + first + others)
      // Of two that do not fit side by side the marked one is shown, which commands act on.
      if let marked, first.contains(marked), !shown.contains(marked) { return [marked] }
      return shown.sorted()
    }
    let rest = start < columns.count ? Array(start..<columns.count) : []
    let plain = fitting([0] + rest)
    guard let sorted, !plain.contains(sorted) else { return plain }
    return fitting([0, sorted] + rest.filter { $0 != sorted }).sorted()
  }

  /// The first of some columns whose least widths fit; always one.
  private func fitting(_ order: [Int]) -> [Int] {
    var left = width - leastWidth(of: 0)
    return order.prefix(1)
      + order.dropFirst().prefix { column in
        left -= leastWidth(of: column) + ColumnField.gap
        return left >= 0
      }
  }

  /// Those of some columns that fit beside the first; a text that is the last one may be cut to a
  /// few cells.
  private func fittingAnywhere(_ order: [Int]) -> [Int] {
    var left = width - leastWidth(of: 0)
    return order.prefix(1)
      + order.dropFirst().filter { column in
        let least = leastWidth(of: column)
        let room = left - ColumnField.gap
        guard room >= (isText(column) ? min(least, Self.leastLast) : least) else { return false }
        left = room - min(least, room)
        return true
      }
  }

  /// Whether a column can be narrower than its texts.
  private func isText(_ column: Int) -> Bool {
    !columns[column].isWhole && columns[column].fixedWidth == nil
  }

  /// The cells that tell something of a text where there is no room for more.
  private static let leastLast = 8

  /// The width of a long title that is not cut, and how much wider than its texts it may be.
  private static let titleWidth = (least: 16, beyondTexts: 4)

  /// The width below which a column is left out.
  private func leastWidth(of index: Int) -> Int {
    let column = columns[index]
    if let fixed = column.fixedWidth { return min(fixed, width) }
    if column.isWhole {
      let texts = content.isEmpty ? ideal[index] : content[index]
      let title = max(texts + Self.titleWidth.beyondTexts, Self.titleWidth.least)
      return min(ideal[index], title, width)
    }
    // The first column identifies the row.
    let share = index > 0 ? width / 6 : isNarrow ? width * 3 / 5 : width * 2 / 5
    return min(ideal[index], max(column.minimumWidth, share))
  }

  fileprivate func widths(of order: [Int]) -> [Int] {
    var widths = order.map { leastWidth(of: $0) }
    guard order.count > 1 else {
      return [min(columns[order[0]].fixedWidth ?? ideal[order[0]], width)]
    }
    var rest = width - widths.reduce(0, +) - ColumnField.gap * (order.count - 1)
    func grow(_ index: Int, to most: Int) {
      let more = max(min(most - widths[index], rest), 0)
      widths[index] += more
      rest -= more
    }
    let texts = order.indices.filter { isText(order[$0]) }
    while rest < 0, let widest = texts.dropFirst().max(by: { widths[$0] < widths[$1] }) {
      widths[widest] -= 1
      rest += 1
    }
    // The narrowest one grows first, so that a wide one does not take all the room.
    var growing = texts.filter { widths[$0] < ideal[order[$0]] }
    while rest > 0, let next = growing.min(by: { widths[$0] < widths[$1] }) {
      grow(next, to: widths[next] + 1)
      if widths[next] >= ideal[order[next]] { growing.removeAll { $0 == next } }
    }
    for index in order.indices where columns[order[index]].isWhole {
      if columns[order[index]].fixedWidth == nil { grow(index, to: ideal[order[index]]) }
    }
    return widths
  }
}

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
}
