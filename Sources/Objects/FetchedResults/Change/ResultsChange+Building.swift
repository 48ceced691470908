import ManagedObjects
package import ObjectModel

extension ResultsChange {
  /// The greatest number of rows reported one by one: if more are inserted, deleted or moved, the
  /// change is a reload.
  package static let rowLimit = 10_000

  /// Makes the change from removed and inserted rows.
  ///
  /// An object that is removed and inserted is moved.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  ///   - removed: Indexes in the old list, ascending.
  ///   - inserted: Indexes in the new list, ascending.
  ///   - updated: Indexes in both lists of rows that were not moved.
  ///   - deletedSections: Sections of the old list.
  ///   - insertedSections: Sections of the new list.
  init(
    from old: ResultsSections, to new: ResultsSections, removed: [Int], inserted: [Int],
    updated: [(old: Int, new: Int)], deletedSections: [Int], insertedSections: [Int]
  ) {
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    var sources = Dictionary(firstOf: removed.map { (old.ids[$0], $0) })
    for index in inserted {
      let path = new.indexPath(at: index)
      if let source = sources.removeValue(forKey: new.ids[index]) {
        moves.append(Row(old: old.indexPath(at: source), new: path))
      } else {
        insertedRows.append(path)
      }
    }
    moves.sort { $0.old < $1.old }
    deletedRows = sources.values.sorted().map { old.indexPath(at: $0) }
    updates = updated.map { Row(old: old.indexPath(at: $0.old), new: new.indexPath(at: $0.new)) }
      .sorted { $0.old < $1.old }
  }

  /// Compares two lists, as after a refetch.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  ///   - updated: Objects whose content is known to have changed.
  ///   - limit: How many rows may be inserted, deleted or moved before the change is a reload.
  /// - Complexity: About one pass over the keys of both lists.
  package init(
    from old: ResultsSections, to new: ResultsSections, updated: Set<ObjectID> = [],
    limit: Int = rowLimit
  ) {
    guard let difference = try? ListDifference(from: old.ids, to: new.ids, limit: limit) else {
      self = .reload
      return
    }
    let sections = SectionMatch(from: old, to: new)
    var (removed, inserted) = ([Int](), [Int]())
    var (nextOld, nextNew) = (0, 0)
    func gap(upTo oldIndex: Int, _ newIndex: Int) {
      removed += nextOld..<oldIndex
      inserted += nextNew..<newIndex
    }
    for run in difference.runs {
      gap(upTo: run.old, run.new)
      sections.forEachSplitPart(of: run, in: old, new) { part in
        removed += part.old..<part.old + part.length
        inserted += part.new..<part.new + part.length
      }
      (nextOld, nextNew) = (run.old + run.length, run.new + run.length)
    }
    gap(upTo: old.count, new.count)
    guard max(removed.count, inserted.count) <= limit else {
      self = .reload
      return
    }
    let removedRows = Set(removed)
    let remaining = old.ids.indexes(of: updated).filter { !removedRows.contains($0.index) }
    let newIndexes = Dictionary(
      firstOf: new.ids.indexes(of: Set(remaining.map(\.id))).map { ($0.id, $0.index) })
    self.init(
      from: old, to: new, removed: removed, inserted: inserted,
      updated: remaining.compactMap { row in newIndexes[row.id].map { (row.index, $0) } },
      deletedSections: sections.deleted, insertedSections: sections.inserted)
  }
}
