/// Where the rows of an old state are in the new one, when rows are counted through all sections.
///
/// Rows that neither went nor moved keep their order, so a row's new place follows from the number
/// of rows removed before it and inserted before it.
///
/// - Complexity: Made in O(*k* log *k*) for *k* changes; a place is found in O(log *k*).
struct RowMap: Hashable, Sendable {
  /// Old rows that are gone or moved away.
  let removed: RowSet
  /// New rows that came or moved here.
  let inserted: RowSet
  /// New places of the old rows that moved.
  let moves: [Int: Int]
  private let survivors: Int
  /// The number of removed rows before each range of ``removed``, and at the end all of them.
  private let removedBefore: [Int]
  private let insertedBefore: [Int]

  init(oldCount: Int, removed: RowSet, inserted: RowSet, moves: [Int: Int]) {
    self.removed = removed
    self.inserted = inserted
    self.moves = moves
    removedBefore = Self.sums(removed)
    insertedBefore = Self.sums(inserted)
    survivors = oldCount - removed.count
  }

  private static func sums(_ set: RowSet) -> [Int] {
    var total = 0
    return [0]
      + set.ranges.map { range in
        total += range.count
        return total
      }
  }

  /// The new place of an old row; nil when it is gone.
  func newRow(for old: Int) -> Int? {
    if let target = moves[old] { return target }
    return removed.contains(old) ? nil : place(of: rank(of: old))
  }

  /// The new place of the next row that stayed, else of the one before; nil when none stayed.
  func neighbor(of old: Int) -> Int? {
    guard survivors > 0 else { return nil }
    return place(of: min(rank(of: old), survivors - 1))
  }

  /// The new places of a set of old rows.
  ///
  /// - Complexity: O(*r* + *k*) for *r* ranges and *k* changes, and a look at each move.
  func newRows(for old: RowSet) -> RowSet {
    var ranges: [Range<Int>] = []
    for range in old.subtracting(removed).ranges {
      ranges.append(
        place(of: rank(of: range.lowerBound))..<place(of: rank(of: range.upperBound - 1)) + 1)
    }
    var result = RowSet(ranges: ranges).subtracting(inserted)
    for (from, to) in moves where old.contains(from) { result.insert(to..<to + 1) }
    return result
  }

  /// How many rows that stayed are before an old row.
  private func rank(of old: Int) -> Int {
    let place = partition(removed.ranges.count) { removed.ranges[$0].lowerBound < old }
    guard place > 0 else { return old }
    let last = removed.ranges[place - 1]
    return old - removedBefore[place - 1] - min(last.count, old - last.lowerBound)
  }

  /// The new place of the row that stayed with so many others before it.
  private func place(of rank: Int) -> Int {
    let place = partition(inserted.ranges.count) {
      inserted.ranges[$0].lowerBound - insertedBefore[$0] <= rank
    }
    return rank + insertedBefore[place]
  }

  /// The first number for which a test that turns from true to false is false.
  private func partition(_ count: Int, _ test: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if test(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
