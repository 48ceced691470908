extension RandomAccessCollection {
  /// The index of the first element that meets a condition; `endIndex` if none does.
  ///
  /// The elements that meet it must all come after those that do not.
  ///
  /// - Complexity: O(log *n*).
  package func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Index {
    var (start, length) = (startIndex, count)
    while length > 0 {
      let half = length / 2
      let middle = index(start, offsetBy: half)
      if try condition(self[middle]) {
        length = half
      } else {
        start = index(after: middle)
        length -= half + 1
      }
    }
    return start
  }
}

extension Array where Element: Comparable {
  /// The indices of a longest strictly increasing subsequence, ascending.
  ///
  /// - Complexity: O(*n* log *n*).
  package var longestIncreasingSubsequence: [Int] {
    // `tails[k]` ends the subsequence of k + 1 elements whose last element is the smallest.
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: count)
    for index in indices {
      let length = tails.partitioningIndex { self[$0] >= self[index] }
      if length > 0 { previous[index] = tails[length - 1] }
      if length == tails.count { tails.append(index) } else { tails[length] = index }
    }
    var subsequence: [Int] = []
    var index = tails.last ?? -1
    while index >= 0 {
      subsequence.append(index)
      index = previous[index]
    }
    return subsequence.reversed()
  }
}

extension RandomAccessCollection where Index == Int {
  /// The elements in slices of at most a number of elements.
  package func chunks(of count: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: count).map {
      self[$0..<Swift.min($0 + count, endIndex)]
    }
  }
}

extension Array {
  /// The elements that satisfy a predicate, each of which is asked once and in order.
  ///
  /// If all do, it is the array itself and not a copy, as `filter` makes.
  @inlinable
  package func selected(where isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    guard let first = try firstIndex(where: { try !isIncluded($0) }) else { return self }
    return try self[..<first] + self[(first + 1)...].filter(isIncluded)
  }
}

extension Dictionary {
  /// Creates a dictionary of pairs; of several with the same key it keeps the first.
  package init(firstOf pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}
