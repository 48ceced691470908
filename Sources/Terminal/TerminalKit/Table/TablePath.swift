/// The index path of a row: its section, and its row within the section.
///
/// Ordered from top to bottom.
public struct TablePath: Hashable, Sendable, Comparable {
  /// The index of the section, from 0.
  package var section: Int
  /// The index of the row in its section, from 0.
  package var row: Int

  /// Creates a path.
  package init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Orders by section, then by row.
  public static func < (left: TablePath, right: TablePath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension TablePath: CustomStringConvertible {
  /// The path as `[section, row]`, for error messages.
  public var description: String { "[\(section), \(row)]" }
}
