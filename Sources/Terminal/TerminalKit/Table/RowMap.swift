/// Maps row numbers before a batch update to row numbers after it.
///
/// Row numbers count across all sections. Rows that were neither deleted nor moved keep their
/// order, so a new row number follows from the number of rows removed and inserted before it.
///
/// - Complexity: Creation is O(*k* log *k*) for *k* changes, a lookup O(log *k*).
struct RowMap: Hashable, Sendable {
  /// The old row numbers of rows that were deleted or moved.
  let removed: RowSet
  /// The new row numbers of rows that were inserted or moved.
  let inserted: RowSet
  /// The new row numbers of the rows that moved, by old row number.
  let moves: [Int: Int]
  /// The number of rows that were neither deleted nor moved.
  private let survivors: Int
  private let removedRanges: [Range<Int>]
  private let insertedRanges: [Range<Int>]
  /// The number of rows removed before each range of ``removed``, followed by their total.
  private let removedBefore: [Int]
  private let insertedBefore: [Int]

  init(oldCount: Int, removed: RowSet, inserted: RowSet, moves: [Int: Int]) {
    self.removed = removed
    self.inserted = inserted
    self.moves = moves
    removedRanges = removed.ranges
    insertedRanges = inserted.ranges
    removedBefore = Self.sums(removedRanges)
    insertedBefore = Self.sums(insertedRanges)
    survivors = oldCount - removed.count
  }

  private static func sums(_ ranges: [Range<Int>]) -> [Int] {
    var total = 0
    return [0]
      + ranges.map { range in
        total += range.count
        return total
      }
  }

  /// Returns the new number of a row; nil if it was deleted.
  func newRow(for old: Int) -> Int? {
    if let target = moves[old] { return target }
    return removed.contains(old) ? nil : newRow(ofRank: rank(of: old))
  }

  /// Returns the new number of the next surviving row after a removed one.
  ///
  /// If none follows, of the surviving row before it; nil if no row survived.
  func neighbor(of old: Int) -> Int? {
    guard survivors > 0 else { return nil }
    return newRow(ofRank: min(rank(of: old), survivors - 1))
  }

  /// Returns the new numbers of a set of rows, without those deleted.
  ///
  /// - Complexity: O(*r* + *k*) for *r* ranges and *k* changes.
  func newRows(for old: RowSet) -> RowSet {
    var ranges: [Range<Int>] = []
    for range in old.subtracting(removed).ranges {
      let last = newRow(ofRank: rank(of: range.upperBound - 1))
      ranges.append(newRow(ofRank: rank(of: range.lowerBound))..<last + 1)
    }
    var result = RowSet(ranges: ranges).subtracting(inserted)
    for (from, to) in moves where old.contains(from) { result.insert(to..<to + 1) }
    return result
  }

  /// Returns the number of surviving rows before an old row.
  private func rank(of old: Int) -> Int {
    let count = partitioningIndex(of: removedRanges.count) { removedRanges[$0].lowerBound < old }
    guard count > 0 else { return old }
    let last = removedRanges[count - 1]
    return old - removedBefore[count - 1] - min(last.count, old - last.lowerBound)
  }

  /// Returns the new number of the surviving row that has `rank` surviving rows before it.
  private func newRow(ofRank rank: Int) -> Int {
    let count = partitioningIndex(of: insertedRanges.count) {
      insertedRanges[$0].lowerBound - insertedBefore[$0] <= rank
    }
    return rank + insertedBefore[count]
  }
}
