package import FetchedResults
package import Foundation
package import TerminalKit

extension TablePath {
  /// Makes the table path of an index path.
  package init(_ indexPath: IndexPath) {
    self.init(section: indexPath.section, row: indexPath.row)
  }

  /// The index path of the same section and row.
  package var indexPath: IndexPath { IndexPath(row: row, section: section) }
}

extension TableBatch {
  /// Makes the batch that applies a change of a list to a table.
  ///
  /// - Parameter change: The change; a reload lists no rows and makes an empty batch.
  package init(_ change: ResultsChange) {
    func moves(_ rows: [ResultsChange.Row]) -> [Move] {
      rows.map { Move(from: TablePath($0.old), to: TablePath($0.new)) }
    }
    self.init(
      deletedSections: change.deletedSections, insertedSections: change.insertedSections,
      deletedRows: change.deletedRows.map { TablePath($0) }, moves: moves(change.moves),
      insertedRows: change.insertedRows.map { TablePath($0) }, updates: moves(change.updates))
  }
}
