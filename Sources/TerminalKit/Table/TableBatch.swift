/// What changed in a table, from its old state to its new one, as one value.
///
/// Deletions and the sources of moves and updates are places in the old state; insertions and
/// targets are places in the new one. The order inside each list does not matter. The rows of a
/// section that goes or comes may be listed as rows too, or left out.
public struct TableBatch: Hashable, Sendable {
  /// A row that was at one place and is at another.
  public struct Move: Hashable, Sendable {
    /// The place in the old state.
    public let from: TablePath
    /// The place in the new state.
    public let to: TablePath

    /// Creates a move.
    public init(from: TablePath, to: TablePath) {
      self.from = from
      self.to = to
    }
  }

  /// Sections that are gone, by their old places.
  public var deletedSections: [Int]
  /// Sections that came, by their new places.
  public var insertedSections: [Int]
  /// Rows that are gone, by their old places.
  public var deletedRows: [TablePath]
  /// Rows that changed their place, and may have changed their content.
  public var moves: [Move]
  /// Rows that came, by their new places.
  public var insertedRows: [TablePath]
  /// Rows whose content changed; the two places name the same row before and after.
  public var updates: [Move]

  /// Creates a batch.
  public init(
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

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty && moves.isEmpty
      && insertedRows.isEmpty && updates.isEmpty
  }
}
