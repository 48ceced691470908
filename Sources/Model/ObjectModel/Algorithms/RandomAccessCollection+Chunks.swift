extension RandomAccessCollection where Index == Int {
  /// The elements in slices of at most a number of elements.
  package func chunks(of count: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: count).map {
      self[$0..<Swift.min($0 + count, endIndex)]
    }
  }
}
