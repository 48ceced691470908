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
