/// A column of a table.
///
/// The column grows with the texts displayed in it, up to `maximumWidth`.
public struct TableColumn: Hashable, Sendable {
  /// The direction in which rows are sorted by the column.
  public enum Sorting: Hashable, Sendable {
    /// Ascending.
    case ascending
    /// Descending.
    case descending
  }

  /// The title above the column; if all titles are empty, the table has no title line.
  public var title: String
  /// The alignment of title and texts; use `right` for numbers, whose decimal points are aligned.
  package var alignment: TextAlignment
  /// The minimum width in cells, at least 1; a column of shorter texts may be narrower.
  package var minimumWidth: Int
  /// The width in cells before any text was displayed; nil for the width of the title.
  package var idealWidth: Int?
  /// The maximum width in cells.
  package var maximumWidth: Int
  /// Whether its texts are never truncated while other columns can be; use it for numbers and
  /// dates.
  package var isWhole: Bool
  /// The width in cells that a person chose; nil for a width by need.
  package var fixedWidth: Int?
  /// The sort direction; nil if the rows are not sorted by this column.
  package var sorting: Sorting?

  /// Creates a column; a maximum width less than the minimum is raised to it.
  public init(
    _ title: String, alignment: TextAlignment = .left, minimumWidth: Int = 8,
    idealWidth: Int? = nil, maximumWidth: Int = 60, isWhole: Bool = false, fixedWidth: Int? = nil,
    sorting: Sorting? = nil
  ) {
    self.title = title
    self.alignment = alignment
    self.minimumWidth = max(minimumWidth, 1)
    self.idealWidth = idealWidth
    self.maximumWidth = max(maximumWidth, self.minimumWidth)
    self.isWhole = isWhole
    self.fixedWidth = fixedWidth
    self.sorting = sorting
  }
}
