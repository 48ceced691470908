import ObjectModel

/// The order keys of ordered relationships (Z_FOK): core-data-stores 4.7.
///
/// Keys are multiples of a step, so that an object inserted between two others gets a key in
/// between.
enum OrderKeys {
  /// The difference of successive new keys.
  static let step: Int64 = 1024

  /// The key of an object that comes after all others.
  ///
  /// - Parameter last: The greatest key; nil if there is none.
  /// - Returns: The next multiple of the step; nil on overflow.
  static func next(after last: Int64?) -> Int64? {
    let (multiple, overflow) = ((last.map { max($0, 0) } ?? 0) / step + 1)
      .multipliedReportingOverflow(by: step)
    return overflow ? nil : multiple
  }

  /// Makes keys ascending, with as few changes as possible.
  ///
  /// - Parameter keys: The current keys, in the new order of the objects; nil for none.
  /// - Returns: The new keys, ascending.
  static func ascending(_ keys: [Int64?]) -> [Int64] {
    let staying = longestAscent(of: keys)
    var result: [Int64] = []
    var index = 0
    while index < keys.count {
      if staying.contains(index), let key = keys[index] {
        result.append(key)
        index += 1
        continue
      }
      let end = (index..<keys.count).first { staying.contains($0) } ?? keys.count
      let upper = end < keys.count ? keys[end] : nil
      guard let filled = between(result.last, upper, count: end - index) else {
        return fresh(keys.count)
      }
      result += filled
      index = end
    }
    return result
  }

  /// New keys for all objects.
  private static func fresh(_ count: Int) -> [Int64] { (0..<count).map { Int64($0 + 1) * step } }

  /// Keys between two others; nil if there are not enough.
  private static func between(_ lower: Int64?, _ upper: Int64?, count: Int) -> [Int64]? {
    guard let upper else {
      var last = lower
      var keys: [Int64] = []
      for _ in 0..<count {
        guard let key = next(after: last) else { return nil }
        keys.append(key)
        last = key
      }
      return keys
    }
    // Before the first key there is room down to 0, or below a negative key.
    let (room, overflow) = upper.subtractingReportingOverflow(lower ?? min(0, upper))
    guard !overflow, room > Int64(count) else { return nil }
    let share = room / Int64(count + 1)
    let start = lower ?? min(0, upper)
    return (1...count).map { start + share * Int64($0) }
  }

  /// The indexes of a longest increasing subsequence: these keys stay.
  private static func longestAscent(of keys: [Int64?]) -> Set<Int> {
    let present = keys.enumerated().compactMap { index, key in key.map { (index: index, key: $0) } }
    return Set(present.map(\.key).longestIncreasingSubsequence.map { present[$0].index })
  }
}
