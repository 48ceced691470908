public import Foundation

extension IndexPath {
  /// Makes the index path of a row.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// Makes the index path of an item: of a row, as grids call it.
  public init(item: Int, section: Int) { self.init(row: item, section: section) }

  /// The section; -1 for an empty path.
  public var section: Int { isEmpty ? -1 : self[0] }

  /// The row within its section; -1 for a path of fewer than two indexes.
  public var row: Int { count < 2 ? -1 : self[1] }

  /// The item within its section: the row, as grids call it.
  public var item: Int { row }
}
