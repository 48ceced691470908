public import Foundation

extension IndexPath {
  /// Makes the index path of a row.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The section; -1 for an empty path.
  public var section: Int { isEmpty ? -1 : self[0] }

  /// The row within its section; -1 for a path of fewer than two indexes.
  public var row: Int { count < 2 ? -1 : self[1] }
}
