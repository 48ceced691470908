/// A set of row numbers, stored as ranges.
///
/// Selecting all of a million rows takes a single range.
public struct RowSet: Hashable, Sendable {
  private var rows: RangeSet<Int>

  /// The rows as ranges in ascending order that neither overlap nor adjoin.
  ///
  /// - Complexity: O(*n*) in the number of ranges.
  package var ranges: [Range<Int>] { Array(rows.ranges) }

  /// Creates an empty set.
  package init() { rows = RangeSet() }

  /// Creates a set of one range.
  package init(_ range: Range<Int>) { rows = RangeSet(range) }

  /// Creates a set from ranges in any order.
  ///
  /// - Complexity: O(*n* log *n*) in the number of ranges.
  init(ranges unordered: some Sequence<Range<Int>>) {
    // Ranges in another order would be inserted one by one.
    rows = RangeSet(unordered.sorted { $0.lowerBound < $1.lowerBound })
  }

  /// Whether the set has no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// The number of rows.
  package var count: Int { rows.ranges.reduce(0) { $0 + $1.count } }

  /// Returns whether a row is in the set.
  ///
  /// - Complexity: O(log *n*) in the number of ranges.
  package func contains(_ row: Int) -> Bool { rows.contains(row) }

  /// Adds rows; those already in the set stay.
  package mutating func insert(_ new: Range<Int>) { rows.insert(contentsOf: new) }

  /// Removes rows; those not in the set are ignored.
  package mutating func remove(_ gone: Range<Int>) { rows.remove(contentsOf: gone) }

  /// Returns the rows that are not in another set.
  ///
  /// - Complexity: O(*n* + *m*) in the numbers of ranges of the two sets.
  func subtracting(_ other: RowSet) -> RowSet {
    var left: [Range<Int>] = []
    let holes = other.rows.ranges
    var first = 0
    for range in rows.ranges {
      var start = range.lowerBound
      while first < holes.count, holes[first].upperBound <= start { first += 1 }
      var next = first
      while next < holes.count, holes[next].lowerBound < range.upperBound {
        let hole = holes[next]
        if start < hole.lowerBound { left.append(start..<hole.lowerBound) }
        start = hole.upperBound
        next += 1
      }
      if start < range.upperBound { left.append(start..<range.upperBound) }
    }
    return RowSet(ranges: left)
  }
}
