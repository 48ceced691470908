/// What a table drew last, for the mouse and for rows that go.
struct DrawnTable {
  /// The part of the screen that the table had.
  var frame = Rect(x: 0, y: 0, width: 0, height: 0)
  /// The line of the screen that ``lines`` begin on.
  var firstLine = 0
  /// What stood on each line.
  var lines: [TableLine] = []
  /// The cells of the visible rows.
  var cells: [Int: TableCell] = [:]
  var strip = IndexStrip(count: 0, height: 0)
  /// The first column of the screen that belongs to the strip.
  var stripStart = Int.max
  /// The hardware cursor's place on the screen.
  var cursor: Point?

  /// Forgets the rows, whose numbers are no longer right.
  mutating func forget() {
    lines = []
    cells = [:]
  }
}
