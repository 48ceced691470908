/// A set of row numbers, kept as ranges.
///
/// All rows of a list of millions are one range; a few rows are a few.
public struct RowSet: Hashable, Sendable {
  /// The rows as ranges in ascending order; no two overlap or touch.
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

  /// Whether there is no row.
  public var isEmpty: Bool { ranges.isEmpty }

  /// The number of rows.
  public var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Tells whether a row is in the set, by binary search.
  public func contains(_ row: Int) -> Bool {
    let place = firstRange(endingAfter: row)
    return place < ranges.count && ranges[place].contains(row)
  }

  /// Adds rows.
  public mutating func insert(_ new: Range<Int>) {
    guard !new.isEmpty else { return }
    // Ranges that only touch the new one join it too.
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

  /// Takes rows out.
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

  /// The rows that are not in another set.
  ///
  /// - Complexity: O(*n* + *m*) in the numbers of ranges.
  func subtracting(_ other: RowSet) -> RowSet {
    var result = RowSet()
    var place = 0
    for range in ranges {
      var start = range.lowerBound
      while place < other.ranges.count, other.ranges[place].upperBound <= start { place += 1 }
      var next = place
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

  /// The place of the first range that ends after a row.
  private func firstRange(endingAfter row: Int) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
