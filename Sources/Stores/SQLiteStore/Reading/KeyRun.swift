import ObjectModel
import SQLQueries

/// Ascending integer keys with so few others between them that their rows are read as a range.
///
/// Looking up each takes a quarter longer for an export, and a seventh for faults.
struct KeyRun {
  private let keys: ArraySlice<Int64>
  private var index: Int

  /// How many times as wide as their number keys may be spread.
  private static let widestSpread: Int64 = 4

  /// Makes a run; nil if the keys do not ascend or are too far apart.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - hasLongColumns: Whether a value of a row may be long: SQLite reads those of the rows between
  ///     the keys too, so there may hardly be any.
  init?(_ keys: ArraySlice<Int64>, hasLongColumns: Bool) {
    let spread = hasLongColumns ? 1 : Self.widestSpread
    guard let first = keys.first, let last = keys.last else { return nil }
    let (width, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, width >= 0, width / spread <= Int64(keys.count) else { return nil }
    for index in keys.indices.dropFirst() where keys[index - 1] >= keys[index] { return nil }
    self.keys = keys
    index = keys.startIndex
  }

  /// The condition and the order of the rows, by the column of the key.
  func rows(_ key: SQL) -> SQL {
    "\(key) BETWEEN \(keys.first ?? 0) AND \(keys.last ?? 0) ORDER BY \(key)"
  }

  /// Whether the next row of the range is one of the keys.
  mutating func contains(next key: Int64) -> Bool {
    while index < keys.endIndex, keys[index] < key { index += 1 }
    return index < keys.endIndex && keys[index] == key
  }
}
