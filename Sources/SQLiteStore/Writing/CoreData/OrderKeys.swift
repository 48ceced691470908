/// The keys by which objects of an ordered relationship are sorted (Z_FOK): core-data-stores 4.7.
///
/// Keys are sparse multiples of a step, so that an object put between two others gets the number halfway and they stay.
enum OrderKeys {
  /// How far apart new keys are.
  static let step: Int64 = 1024

  /// The key of an object that comes after all others.
  ///
  /// - Parameter last: The greatest key so far; nil when there is none.
  /// - Returns: The next multiple of the step; nil where numbers end.
  static func next(after last: Int64?) -> Int64? {
    let (multiple, overflow) = ((last.map { max($0, 0) } ?? 0) / step + 1)
      .multipliedReportingOverflow(by: step)
    return overflow ? nil : multiple
  }

  /// Keys that bring objects into an order, changing as few as possible.
  ///
  /// - Parameter keys: The keys that objects have, in the order that is wanted; nil for none.
  /// - Returns: The keys they should have, ascending.
  static func ascending(_ keys: [Int64?]) -> [Int64] {
    let staying = longestAscent(of: keys)
    var result: [Int64] = []
    var place = 0
    while place < keys.count {
      if staying.contains(place), let key = keys[place] {
        result.append(key)
        place += 1
        continue
      }
      let end = (place..<keys.count).first { staying.contains($0) } ?? keys.count
      let upper = end < keys.count ? keys[end] : nil
      guard let filled = between(result.last, upper, count: end - place) else {
        return fresh(keys.count)
      }
      result += filled
      place = end
    }
    return result
  }

  /// Keys for all objects anew.
  private static func fresh(_ count: Int) -> [Int64] { (0..<count).map { Int64($0 + 1) * step } }

  /// Keys between two others; nil where there is no room.
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
    // Keys below the least are as good as any, as long as they are above nothing.
    let (room, overflow) = upper.subtractingReportingOverflow(lower ?? min(0, upper))
    guard !overflow, room > Int64(count) else { return nil }
    let share = room / Int64(count + 1)
    let start = lower ?? min(0, upper)
    return (1...count).map { start + share * Int64($0) }
  }

  /// The places of a longest run of ascending keys, which can stay as they are.
  private static func longestAscent(of keys: [Int64?]) -> Set<Int> {
    var ends: [Int] = []
    var before: [Int: Int] = [:]
    for (place, key) in keys.enumerated() {
      guard let key else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if keys[ends[middle]].map({ $0 < key }) ?? false { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low < ends.count { ends[low] = place } else { ends.append(place) }
    }
    var places: Set<Int> = []
    var next = ends.last
    while let place = next {
      places.insert(place)
      next = before[place]
    }
    return places
  }
}
