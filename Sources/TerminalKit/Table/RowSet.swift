/// A set of row numbers, stored as ranges.
///
/// Selecting all of a million rows takes a single range.
public struct RowSet: Hashable, Sendable {
  /// The rows as ranges in ascending order that neither overlap nor adjoin.
  public private(set) var ranges: [Range<Int>] = []

  /// Creates an empty set.
  public init() {}

  /// Creates a set of one range.
  public init(_ range: Range<Int>) {
    if !range.isEmpty { ranges = [range] }
  }

  /// Creates a set from ranges in any order.
  ///
  /// - Complexity: O(*n* log *n*) in the number of ranges.
  init(ranges unordered: some Sequence<Range<Int>>) {
    for range in unordered.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        let upper = max(last.upperBound, range.upperBound)
        ranges[ranges.count - 1] = last.lowerBound..<upper
      } else {
        ranges.append(range)
      }
    }
  }

  /// Whether the set has no rows.
  public var isEmpty: Bool { ranges.isEmpty }

  /// The number of rows.
  public var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Returns whether a row is in the set.
  ///
  /// - Complexity: O(log *n*) in the number of ranges.
  public func contains(_ row: Int) -> Bool {
    let index = firstRange(endingAfter: row)
    return index < ranges.count && ranges[index].contains(row)
  }

  /// Adds rows; those already in the set stay.
  public mutating func insert(_ new: Range<Int>) {
    guard !new.isEmpty else { return }
    // Adjoining ranges are merged too.
    let start = firstRange(endingAfter: new.lowerBound - 1)
    var end = start
    var joined = new
    while end < ranges.count, ranges[end].lowerBound <= new.upperBound {
      joined =
        min(
          joined.lowerBound, ranges[end].lowerBound)..<max(
          joined.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(start..<end, with: [joined])
  }

  /// Removes rows; those not in the set are ignored.
  public mutating func remove(_ gone: Range<Int>) {
    guard !gone.isEmpty else { return }
    let start = firstRange(endingAfter: gone.lowerBound)
    var end = start
    var left: [Range<Int>] = []
    while end < ranges.count, ranges[end].lowerBound < gone.upperBound {
      let range = ranges[end]
      if range.lowerBound < gone.lowerBound { left.append(range.lowerBound..<gone.lowerBound) }
      if range.upperBound > gone.upperBound { left.append(gone.upperBound..<range.upperBound) }
      end += 1
    }
    ranges.replaceSubrange(start..<end, with: left)
  }

  /// Returns the rows that are not in another set.
  ///
  /// - Complexity: O(*n* + *m*) in the numbers of ranges of the two sets.
  func subtracting(_ other: RowSet) -> RowSet {
    var result = RowSet()
    var first = 0
    for range in ranges {
      var start = range.lowerBound
      while first < other.ranges.count, other.ranges[first].upperBound <= start { first += 1 }
      var next = first
      while next < other.ranges.count, other.ranges[next].lowerBound < range.upperBound {
        let hole = other.ranges[next]
        if start < hole.lowerBound { result.ranges.append(start..<hole.lowerBound) }
        start = hole.upperBound
        next += 1
      }
      if start < range.upperBound { result.ranges.append(start..<range.upperBound) }
    }
    return result
  }

  /// Returns the index of the first range that ends after a row.
  private func firstRange(endingAfter row: Int) -> Int {
    partitioningIndex(of: ranges.count) { ranges[$0].upperBound <= row }
  }
}
