public import Foundation

/// What leads from one state of a list to the next, as one value.
///
/// Deletes and the sources of moves are places in the old list, inserts and the targets of moves places in the new one.
/// A row of an inserted or deleted section is listed as a row too. Sections are meant before rows. Each list is in
/// ascending order (moves by source), and {deletes, move sources, updates} name no row twice, nor do {inserts, move targets}.
public struct ResultsChange: Hashable, Sendable {
  /// One row, in the old list and in the new.
  public struct Row: Hashable, Sendable {
    /// Its place in the old list.
    public var old: IndexPath
    /// Its place in the new list.
    public var new: IndexPath

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - old: Its place in the old list.
    ///   - new: Its place in the new list.
    public init(old: IndexPath, new: IndexPath) {
      self.old = old
      self.new = new
    }
  }

  /// Sections that are gone, as places in the old list.
  public var deletedSections: [Int] = []
  /// Sections that came, as places in the new list.
  public var insertedSections: [Int] = []
  /// Rows that are gone, as places in the old list.
  public var deletedRows: [IndexPath] = []
  /// Rows that came, as places in the new list.
  public var insertedRows: [IndexPath] = []
  /// Rows whose place among the others changed; their content may have changed too.
  public var moves: [Row] = []
  /// Rows whose content changed, and not their place among the others.
  public var updates: [Row] = []
  /// Whether too much changed to be told row by row: everything is to be read anew, and the lists above are empty.
  public var isReload = false

  /// Makes a change of nothing.
  public init() {}

  /// The change for a list that is to be read anew as a whole.
  public static let reload: ResultsChange = {
    var change = ResultsChange()
    change.isReload = true
    return change
  }()

  /// Whether nothing changed.
  public var isEmpty: Bool { self == ResultsChange() }

  /// How many rows are told of.
  public var rowCount: Int {
    deletedRows.count + insertedRows.count + moves.count + updates.count
  }
}
