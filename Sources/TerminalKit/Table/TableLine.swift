/// What stands on one line of a table.
enum TableLine: Hashable, Sendable {
  /// The header of a section.
  case header(Int)
  /// A line of a row, counted from its first.
  case row(Int, line: Int)
  /// The footer of a section.
  case footer(Int)
  /// A row that is seen to go, by its place in the list of those.
  case ghost(Int)
}
