import ObjectModel

/// Which sections of two lists are the same.
struct SectionMatch {
  /// Sections of the old list that were deleted, or whose order among the others changed.
  var deleted: [Int] = []
  /// Sections of the new list that match none of the old ones.
  var inserted: [Int] = []
  /// The new index of each old section; nil if it is deleted.
  private var newIndexes: [Int?]

  /// Matches sections by name.
  ///
  /// - Complexity: O(*s* log *s*).
  init(from old: ResultsSections, to new: ResultsSections) {
    if old.names == new.names {
      newIndexes = Array(new.names.indices)
      return
    }
    let indexes = Dictionary(firstOf: zip(new.names, new.names.indices))
    let common = old.names.enumerated().compactMap { section, name in
      indexes[name].map { (old: section, new: $0) }
    }
    newIndexes = Array(repeating: nil, count: old.names.count)
    for index in common.map(\.new).longestIncreasingSubsequence {
      newIndexes[common[index].old] = common[index].new
    }
    let kept = Set(newIndexes.compactMap { $0 })
    deleted = newIndexes.indices.filter { newIndexes[$0] == nil }
    inserted = new.names.indices.filter { !kept.contains($0) }
  }

  /// Whether a section of the old list is this section of the new one.
  func isSame(_ old: Int, _ new: Int) -> Bool { newIndexes[old] == new }

  /// Calls a closure with the parts of a run whose section differs between the lists.
  func forEachSplitPart(
    of run: ListDifference.Run, in old: ResultsSections, _ new: ResultsSections,
    _ body: (ListDifference.Run) -> Void
  ) {
    var done = 0
    while done < run.length {
      let oldPosition = old.counts.run(holding: run.old + done)
      let newPosition = new.counts.run(holding: run.new + done)
      let length = min(
        run.length - done, old.counts.counts[oldPosition.index] - oldPosition.offset,
        new.counts.counts[newPosition.index] - newPosition.offset)
      if !isSame(oldPosition.index, newPosition.index) {
        body(ListDifference.Run(old: run.old + done, new: run.new + done, length: length))
      }
      done += length
    }
  }
}
