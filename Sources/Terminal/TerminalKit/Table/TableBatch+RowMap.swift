extension TableBatch {
  /// Validates the batch against both states and maps old row numbers to new ones.
  ///
  /// - Throws: ``BatchUpdateError`` if the batch does not lead from the old state to the new one.
  /// - Complexity: O(sections + *k* log *k*) for *k* changes.
  func rowMap(from old: SectionOffsets, to new: SectionOffsets) throws(BatchUpdateError) -> RowMap {
    let goneSections = try sections(deletedSections, of: old, isOld: true)
    let newSections = try sections(insertedSections, of: new, isOld: false)
    guard old.numberOfSections - goneSections.count + newSections.count == new.numberOfSections
    else {
      throw BatchUpdateError(
        .sections(
          before: old.numberOfSections, after: new.numberOfSections,
          inserted: newSections.count, deleted: goneSections.count))
    }
    let deleted = try rows(deletedRows, of: old, isOld: true)
    let inserted = try rows(insertedRows, of: new, isOld: false)
    let sources = try rows(moves.map(\.from), of: old, isOld: true)
    let targets = try rows(moves.map(\.to), of: new, isOld: false)
    if let path = firstDuplicate(deletedRows + moves.map(\.from)) {
      throw BatchUpdateError(.listedTwice(path, isOld: true))
    }
    if let path = firstDuplicate(insertedRows + moves.map(\.to)) {
      throw BatchUpdateError(.listedTwice(path, isOld: false))
    }
    for update in updates {
      _ = try rows([update.from], of: old, isOld: true)
      _ = try rows([update.to], of: new, isOld: false)
    }
    try checkCounts(from: old, without: goneSections, to: new, with: newSections)
    let removed = RowSet(
      ranges: (deleted + sources).map { $0..<$0 + 1 } + goneSections.map { old.rows(in: $0) })
    let came = RowSet(
      ranges: (inserted + targets).map { $0..<$0 + 1 } + newSections.map { new.rows(in: $0) })
    return RowMap(
      oldCount: old.numberOfRows, removed: removed, inserted: came,
      moves: Dictionary(uniqueKeysWithValues: zip(sources, targets)))
  }

  private func sections(
    _ list: [Int], of offsets: SectionOffsets, isOld: Bool
  ) throws(BatchUpdateError) -> Set<Int> {
    for section in list where section < 0 || section >= offsets.numberOfSections {
      throw BatchUpdateError(.noSuchSection(section, isOld: isOld))
    }
    return Set(list)
  }

  private func rows(
    _ paths: [TablePath], of offsets: SectionOffsets, isOld: Bool
  ) throws(BatchUpdateError) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(paths.count)
    for path in paths {
      guard let row = offsets.row(at: path) else {
        throw BatchUpdateError(.noSuchRow(path, isOld: isOld))
      }
      result.append(row)
    }
    return result
  }

  private func firstDuplicate(_ paths: [TablePath]) -> TablePath? {
    var seen = Set<TablePath>(minimumCapacity: paths.count)
    return paths.first { !seen.insert($0).inserted }
  }

  /// Checks that each section's number of rows agrees with its insertions, deletions and moves.
  private func checkCounts(
    from old: SectionOffsets, without gone: Set<Int>, to new: SectionOffsets, with came: Set<Int>
  ) throws(BatchUpdateError) {
    let deleted = tally(deletedRows)
    let inserted = tally(insertedRows)
    let out = tally(moves.map(\.from))
    let into = tally(moves.map(\.to))
    var next = 0
    for section in 0..<new.numberOfSections {
      let after = new.count(in: section)
      let listed = inserted[section] ?? 0
      if came.contains(section) {
        guard listed > 0, listed + (into[section] ?? 0) != after else { continue }
        throw BatchUpdateError(
          .rows(
            section: section, before: 0, after: after, inserted: listed, deleted: 0,
            movedIn: into[section] ?? 0, movedOut: 0))
      }
      while gone.contains(next) { next += 1 }
      let before = old.count(in: next)
      let (lost, left) = (deleted[next] ?? 0, out[next] ?? 0)
      guard after == before - lost - left + listed + (into[section] ?? 0) else {
        throw BatchUpdateError(
          .rows(
            section: section, before: before, after: after, inserted: listed, deleted: lost,
            movedIn: into[section] ?? 0, movedOut: left))
      }
      next += 1
    }
  }

  private func tally(_ paths: [TablePath]) -> [Int: Int] {
    paths.reduce(into: [:]) { $0[$1.section, default: 0] += 1 }
  }
}
