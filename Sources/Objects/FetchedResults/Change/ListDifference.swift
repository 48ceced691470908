import ObjectModel

/// Two lists differ in more rows than are reported one by one.
struct TooDifferent: Error {}

/// The rows that two lists have in common, in order.
struct ListDifference: Equatable {
  /// A run of equal rows; `old` and `new` are the indexes of the first.
  struct Run: Equatable {
    var old: Int
    var new: Int
    var length: Int
  }

  /// Ascending in both lists.
  var runs: [Run] = []

  /// How many rows are searched for the next common one; the windows are tried in turn.
  private static let windows = [16, 256, 4096, 16384]

  /// Compares two lists of which at most `limit` rows differ, in one pass over equal rows; where
  /// they differ, a search for the next common row in growing windows.
  ///
  /// - Throws: ``TooDifferent`` if more rows differ.
  init(from old: ObjectIDList, to new: ObjectIDList, limit: Int) throws(TooDifferent) {
    guard abs(old.count - new.count) <= limit else { throw TooDifferent() }
    if old.sharesCodes(with: new), let oldKeys = old.withKeys({ $0 }),
      let newKeys = new.withKeys({ $0 })
    {
      runs = try Self.runs(from: oldKeys, to: newKeys, limit: limit)
    } else {
      runs = try Self.runs(from: Array(old), to: Array(new), limit: limit)
    }
  }

  private static func runs<Element: Hashable>(
    from old: [Element], to new: [Element], limit: Int
  ) throws(TooDifferent) -> [Run] {
    var end = 0
    while end < min(old.count, new.count),
      old[old.count - 1 - end] == new[new.count - 1 - end]
    { end += 1 }
    let (oldEnd, newEnd) = (old.count - end, new.count - end)
    var runs: [Run] = []
    var (i, j, differing) = (0, 0, 0)
    while i < oldEnd, j < newEnd {
      let start = i
      while i < oldEnd, j < newEnd, old[i] == new[j] {
        i += 1
        j += 1
      }
      if i > start { runs.append(Run(old: start, new: j - (i - start), length: i - start)) }
      guard i < oldEnd, j < newEnd else { break }
      let next = resynchronised(old[i..<oldEnd], new[j..<newEnd])
      differing += max(next.old - i, next.new - j)
      if differing > limit { throw TooDifferent() }
      (i, j) = (next.old, next.new)
    }
    differing += max(oldEnd - i, newEnd - j)
    if differing > limit { throw TooDifferent() }
    if end > 0 { runs.append(Run(old: oldEnd, new: newEnd, length: end)) }
    return runs
  }

  /// The nearest indexes of a common row, for lists that differ in their first row; without one,
  /// the ends of the widest window.
  private static func resynchronised<Element: Hashable>(
    _ old: ArraySlice<Element>, _ new: ArraySlice<Element>
  ) -> (old: Int, new: Int) {
    for window in windows {
      let ahead = new.prefix(window)
      let newIndexes = Dictionary(firstOf: zip(ahead, ahead.indices))
      var best: (old: Int, new: Int, distance: Int)?
      for i in old.prefix(window).indices {
        let skipped = i - old.startIndex
        if let best, skipped >= best.distance { break }
        guard let j = newIndexes[old[i]] else { continue }
        let distance = skipped + j - new.startIndex
        if best.map({ distance < $0.distance }) ?? true { best = (i, j, distance) }
      }
      if let best { return (best.old, best.new) }
    }
    let widest = windows[windows.count - 1]
    return (old.prefix(widest).endIndex, new.prefix(widest).endIndex)
  }
}
