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
