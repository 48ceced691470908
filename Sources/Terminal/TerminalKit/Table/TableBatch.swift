/// The changes of a batch update: inserted, deleted, moved and updated rows and sections.
///
/// Deletions and the sources of moves and updates are paths before the update; insertions and
/// targets are paths after it. The order within each array does not matter. The rows of a deleted
/// or inserted section may be listed as rows too, or left out.
package struct TableBatch: Hashable, Sendable {
  /// A row's path before and after the update.
  package struct Move: Hashable, Sendable {
    /// The path before the update.
    package let from: TablePath
    /// The path after the update.
    package let to: TablePath

    /// Creates a move.
    package init(from: TablePath, to: TablePath) {
      self.from = from
      self.to = to
    }
  }

  /// The indices of the deleted sections, before the update.
  package var deletedSections: [Int]
  /// The indices of the inserted sections, after the update.
  package var insertedSections: [Int]
  /// The paths of the deleted rows, before the update.
  package var deletedRows: [TablePath]
  /// The rows that moved; their contents may have changed too.
  package var moves: [Move]
  /// The paths of the inserted rows, after the update.
  package var insertedRows: [TablePath]
  /// The rows whose contents changed without a move, with their paths before and after.
  package var updates: [Move]

  /// Creates a batch; empty by default.
  package init(
    deletedSections: [Int] = [], insertedSections: [Int] = [], deletedRows: [TablePath] = [],
    moves: [Move] = [], insertedRows: [TablePath] = [], updates: [Move] = []
  ) {
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    self.deletedRows = deletedRows
    self.moves = moves
    self.insertedRows = insertedRows
    self.updates = updates
  }

  /// Whether the batch has no changes.
  package var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty && moves.isEmpty
      && insertedRows.isEmpty && updates.isEmpty
  }
}
