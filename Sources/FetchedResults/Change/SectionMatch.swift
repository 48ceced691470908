import ObjectModel

/// Which sections of two lists are the same.
struct SectionMatch {
  /// Sections of the old list that are gone, or stand in another order now.
  var deleted: [Int] = []
  /// Sections of the new list that are not among the old ones in their order.
  var inserted: [Int] = []
  /// The new place of each old section that stays; nil when it does not.
  private var newPlaces: [Int?]

  /// Matches sections by name.
  ///
  /// - Complexity: O(*s* log *s*).
  init(from old: ResultsSections, to new: ResultsSections) {
    if old.names == new.names {
      newPlaces = Array(new.names.indices)
      return
    }
    let places = Dictionary(
      zip(new.names, new.names.indices), uniquingKeysWith: { first, _ in first })
    let common = old.names.enumerated().compactMap { section, name in
      places[name].map { (old: section, new: $0) }
    }
    newPlaces = Array(repeating: nil, count: old.names.count)
    for index in common.map(\.new).longestIncreasingSubsequence {
      newPlaces[common[index].old] = common[index].new
    }
    let kept = Set(newPlaces.compactMap { $0 })
    deleted = newPlaces.indices.filter { newPlaces[$0] == nil }
    inserted = new.names.indices.filter { !kept.contains($0) }
  }

  /// Calls a closure with those parts of a run whose section is not the same in both lists.
  func forEachTornPart(
    of run: ListDifference.Run, in old: ResultsSections, _ new: ResultsSections,
    _ body: (ListDifference.Run) -> Void
  ) {
    var done = 0
    while done < run.length {
      let oldSpot = old.counts.run(holding: run.old + done)
      let newSpot = new.counts.run(holding: run.new + done)
      let length = min(
        run.length - done, old.counts.counts[oldSpot.index] - oldSpot.offset,
        new.counts.counts[newSpot.index] - newSpot.offset)
      if newPlaces[oldSpot.index] != newSpot.index {
        body(ListDifference.Run(old: run.old + done, new: run.new + done, length: length))
      }
      done += length
    }
  }
}
