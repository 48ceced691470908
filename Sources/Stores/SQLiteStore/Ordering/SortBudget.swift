/// The memory for rows that are sorted: 16 MiB for all readers, and 16 bytes for each row.
///
/// It is asked while rows are read. Columns in which most values differ, of which SQLite's sort is
/// made, are noticed early: by the values of the last rows, which rows to come are expected to have.
struct SortBudget {
  /// The number of rows after which the budget is asked again.
  static let interval = 1 << 14
  /// The longest value that is sorted, in bytes.
  static let longestValue = 1 << 10

  /// The estimated number of rows; 0 if it is not known.
  private let total: Int
  private let base: Int
  private var lastUsed = 0

  init(total: Int, readers: Int = 1) {
    self.total = total / readers
    base = 16 << 20 / readers
  }

  /// Whether the memory is enough for all rows, if the rows to come are like the last ones.
  ///
  /// - Parameters:
  ///   - used: The number of bytes in use.
  ///   - rowCount: The number of rows that have been read.
  /// - Returns: False if SQLite's sort, which uses files, is the better one.
  mutating func suffices(used: Int, rowCount: Int) -> Bool {
    defer { lastUsed = used }
    let total = max(total, rowCount)
    let blocksToCome = (total - rowCount) / Self.interval
    return used + (used - lastUsed) * blocksToCome <= base + total * 16
  }
}
