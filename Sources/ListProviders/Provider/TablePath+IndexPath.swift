public import FetchedResults
public import Foundation
public import TerminalKit

extension TablePath {
  /// Makes the same path as one of a list.
  public init(_ indexPath: IndexPath) {
    self.init(section: indexPath.section, row: indexPath.row)
  }

  /// The same path as one of a list.
  public var indexPath: IndexPath { IndexPath(row: row, section: section) }
}

extension TableBatch {
  /// Makes the batch by which a table follows a change of a list.
  ///
  /// - Parameter change: The change; for a reload, which names no rows, the batch is empty.
  public init(_ change: ResultsChange) {
    func moves(_ rows: [ResultsChange.Row]) -> [Move] {
      rows.map { Move(from: TablePath($0.old), to: TablePath($0.new)) }
    }
    self.init(
      deletedSections: change.deletedSections, insertedSections: change.insertedSections,
      deletedRows: change.deletedRows.map { TablePath($0) }, moves: moves(change.moves),
      insertedRows: change.insertedRows.map { TablePath($0) }, updates: moves(change.updates))
  }
}
