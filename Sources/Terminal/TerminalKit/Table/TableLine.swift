/// The content of one line of a table on the screen.
enum TableLine: Hashable, Sendable {
  /// The header of a section.
  case header(Int)
  /// A band of rows, by the number of its first row across all sections, and the line within it,
  /// from 0.
  case row(Int, line: Int)
  /// The footer of a section.
  case footer(Int)
  /// A deleted row, by its index in ``TableFlashes/ghosts``.
  case ghost(Int)

  /// Whether it is a deleted row.
  var isGhost: Bool { if case .ghost = self { true } else { false } }
}
