import ManagedObjects
public import ObjectModel

extension ResultsChange {
  /// The greatest number of rows told one by one: when more come, go or move, the change is a reload.
  public static let rowLimit = 10_000

  /// Makes the change from rows that leave and enter their places.
  ///
  /// An object that does both is moved.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  ///   - left: Places of the old list, ascending.
  ///   - entered: Places of the new list, ascending.
  ///   - updated: Places in both lists of rows that stand still.
  ///   - deletedSections: Sections of the old list.
  ///   - insertedSections: Sections of the new list.
  init(
    from old: ResultsSections, to new: ResultsSections, left: [Int], entered: [Int],
    updated: [(old: Int, new: Int)], deletedSections: [Int], insertedSections: [Int]
  ) {
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    var sources = Dictionary(
      left.map { (old.ids[$0], $0) }, uniquingKeysWith: { first, _ in first })
    for place in entered {
      let path = new.indexPath(at: place)
      if let source = sources.removeValue(forKey: new.ids[place]) {
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
  ///   - limit: How many rows may come, go or move before the change is a reload.
  /// - Complexity: About one pass over the keys of both lists.
  public init(
    from old: ResultsSections, to new: ResultsSections, updated: Set<ObjectID> = [],
    limit: Int = rowLimit
  ) {
    guard let difference = try? ListDifference(from: old.ids, to: new.ids, limit: limit) else {
      self = .reload
      return
    }
    let sections = SectionMatch(from: old, to: new)
    var (left, entered) = ([Int](), [Int]())
    var (nextOld, nextNew) = (0, 0)
    func gap(upTo oldPlace: Int, _ newPlace: Int) {
      left += nextOld..<oldPlace
      entered += nextNew..<newPlace
    }
    for run in difference.runs {
      gap(upTo: run.old, run.new)
      sections.forEachTornPart(of: run, in: old, new) { part in
        left += part.old..<part.old + part.length
        entered += part.new..<part.new + part.length
      }
      (nextOld, nextNew) = (run.old + run.length, run.new + run.length)
    }
    gap(upTo: old.count, new.count)
    guard max(left.count, entered.count) <= limit else {
      self = .reload
      return
    }
    let leaving = Set(left)
    let still = old.ids.indexes(of: updated).filter { !leaving.contains($0.index) }
    let newPlaces = Dictionary(
      new.ids.indexes(of: Set(still.map(\.id))).map { ($0.id, $0.index) },
      uniquingKeysWith: { first, _ in first })
    self.init(
      from: old, to: new, left: left, entered: entered,
      updated: still.compactMap { row in newPlaces[row.id].map { (row.index, $0) } },
      deletedSections: sections.deleted, insertedSections: sections.inserted)
  }
}
