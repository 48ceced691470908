public import Foundation

/// The change from one state of a list to the next, as one value.
///
/// Deletes and the sources of moves are index paths in the old list; inserts and the targets of
/// moves are index paths in the new one. A row of an inserted or deleted section is listed as a row
/// too. Sections are applied before rows. Each array is ascending (moves by source). {Deletes, move
/// sources, updates} list no row twice, nor do {inserts, move targets}.
public struct ResultsChange: Hashable, Sendable {
  /// One row, in the old list and in the new.
  public struct Row: Hashable, Sendable {
    /// Its index path in the old list.
    public var old: IndexPath
    /// Its index path in the new list.
    public var new: IndexPath

    /// Describes a row.
    package init(old: IndexPath, new: IndexPath) { (self.old, self.new) = (old, new) }
  }

  /// Deleted sections, as indexes in the old list.
  public var deletedSections: [Int] = []
  /// Inserted sections, as indexes in the new list.
  public var insertedSections: [Int] = []
  /// Deleted rows, as index paths in the old list.
  public var deletedRows: [IndexPath] = []
  /// Inserted rows, as index paths in the new list.
  public var insertedRows: [IndexPath] = []
  /// Rows whose position among the others changed; their content may have changed too.
  public var moves: [Row] = []
  /// Rows whose content changed, but not their position among the others.
  public var updates: [Row] = []
  /// Whether too much changed to be reported row by row: the whole list must be reloaded, and the
  /// arrays above are empty.
  public var isReload = false

  /// Makes an empty change.
  package init() {}

  /// The change after which the whole list must be reloaded.
  package static let reload: ResultsChange = {
    var change = ResultsChange()
    change.isReload = true
    return change
  }()

  /// Whether nothing changed.
  public var isEmpty: Bool { self == ResultsChange() }

  /// How many rows are listed.
  public var rowCount: Int {
    deletedRows.count + insertedRows.count + moves.count + updates.count
  }
}
