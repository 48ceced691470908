import Foundation
import ObjectModel

extension ResultsChange {
  /// Applies the change to an old list, as every view that displays it does.
  ///
  /// - Parameters:
  ///   - old: The rows of each old section.
  ///   - new: The rows of each new section, to take inserted rows from.
  /// - Returns: The resulting list; nil if the change does not fit the old list or lists a row
  ///   twice.
  package func replayed<Row>(on old: [[Row]], insertingFrom new: [[Row]]) -> [[Row]]? {
    if isReload { return new }
    let sources = deletedRows + moves.map(\.old)
    let targets = insertedRows + moves.map(\.new)
    let deleted = Set(deletedSections)
    let inserted = Set(insertedSections)
    guard Set(sources + updates.map(\.old)).count == sources.count + updates.count,
      Set(targets).count == targets.count,
      (sources + updates.map(\.old)).allSatisfy({ Self.has($0, in: old) }),
      (insertedRows + updates.map(\.new)).allSatisfy({ Self.has($0, in: new) }),
      deletedSections.allSatisfy(old.indices.contains),
      old.count - deleted.count + inserted.count == new.count
    else { return nil }

    let taken = Set(sources)
    var kept = old.enumerated().map { section, rows in
      rows.enumerated().filter { !taken.contains(IndexPath(row: $0.offset, section: section)) }
        .map(\.element)
    }
    guard deletedSections.allSatisfy({ kept[$0].isEmpty }) else { return nil }
    kept = kept.enumerated().filter { !deleted.contains($0.offset) }.map(\.element)
    for section in insertedSections.sorted() {
      guard section <= kept.count else { return nil }
      kept.insert([], at: section)
    }

    var arriving: [(path: IndexPath, row: Row)] = insertedRows.map {
      ($0, new[$0.section][$0.row])
    }
    arriving += moves.map { ($0.new, old[$0.old.section][$0.old.row]) }
    for (path, row) in arriving.sorted(by: { $0.path < $1.path }) {
      guard kept.indices.contains(path.section), path.row <= kept[path.section].count else {
        return nil
      }
      kept[path.section].insert(row, at: path.row)
    }
    return kept
  }

  private static func has<Row>(_ path: IndexPath, in list: [[Row]]) -> Bool {
    list.indices.contains(path.section) && list[path.section].indices.contains(path.row)
  }
}

extension ResultsChange {
  /// Whether the change leads from one list to another, rows and section names; true for a reload.
  ///
  /// - Complexity: O(*n*): for tests, and for debug builds on short lists.
  func leads(from old: ResultsSections, to new: ResultsSections) -> Bool {
    if isReload { return true }
    func rows(_ list: ResultsSections) -> [[ObjectID]] {
      (0..<list.sectionCount).map { Array(list.ids[list.range(ofSection: $0)]) }
    }
    let (oldRows, newRows) = (rows(old), rows(new))
    var names = old.names
    for section in deletedSections.sorted(by: >) { names.remove(at: section) }
    for section in insertedSections.sorted() { names.insert(new.names[section], at: section) }
    return names == new.names && replayed(on: oldRows, insertingFrom: newRows) == newRows
      && updates.allSatisfy {
        oldRows[$0.old.section][$0.old.row] == newRows[$0.new.section][$0.new.row]
      }
  }
}
