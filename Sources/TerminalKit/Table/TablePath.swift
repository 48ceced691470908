/// The place of a row: its section, and its place in the section.
///
/// Ordered as the rows are on the screen.
public struct TablePath: Hashable, Sendable, Comparable {
  /// The section, from 0.
  public var section: Int
  /// The row in the section, from 0.
  public var row: Int

  /// Creates a path.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Orders from top to bottom.
  public static func < (left: TablePath, right: TablePath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension TablePath: CustomStringConvertible {
  /// The path as `[section, row]`.
  ///
  /// Used in messages about a batch that does not fit.
  public var description: String { "[\(section), \(row)]" }
}
