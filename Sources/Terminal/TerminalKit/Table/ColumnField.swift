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
