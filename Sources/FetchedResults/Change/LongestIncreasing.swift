extension [Int] {
  /// The places of a longest ascending subsequence.
  ///
  /// - Complexity: O(*n* log *n*).
  var longestIncreasing: [Int] {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: count)
    for place in indices {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if self[tails[middle]] < self[place] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = tails[low - 1] }
      if low == tails.count { tails.append(place) } else { tails[low] = place }
    }
    var chain: [Int] = []
    var place = tails.last ?? -1
    while place >= 0 {
      chain.append(place)
      place = previous[place]
    }
    return chain.reversed()
  }
}
