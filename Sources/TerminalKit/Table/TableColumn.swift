/// A column of a table.
///
/// Its width follows the texts that are seen, between the smallest and the largest one given.
public struct TableColumn: Hashable, Sendable {
  /// In which direction the rows are sorted by the column.
  public enum Sorting: Hashable, Sendable {
    /// From small to large.
    case ascending
    /// From large to small.
    case descending
  }

  /// Stands above the column.
  public var title: String
  /// Where the texts stand; numbers at the right.
  public var alignment: TextAlignment
  /// The least width in columns of the screen, at least 1; less where the texts are shorter.
  public var minimumWidth: Int
  /// The width that is wanted before any text is seen; nil for the width of the title.
  public var idealWidth: Int?
  /// The largest width in columns of the screen.
  public var maximumWidth: Int
  /// Set when the rows are sorted by this column.
  public var sorting: Sorting?

  /// Creates a column.
  public init(
    _ title: String, alignment: TextAlignment = .left, minimumWidth: Int = 8,
    idealWidth: Int? = nil, maximumWidth: Int = 60, sorting: Sorting? = nil
  ) {
    self.title = title
    self.alignment = alignment
    self.minimumWidth = max(minimumWidth, 1)
    self.idealWidth = idealWidth
    self.maximumWidth = max(maximumWidth, self.minimumWidth)
    self.sorting = sorting
  }
}
