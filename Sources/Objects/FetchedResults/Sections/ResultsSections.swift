public import Foundation
import ManagedObjects
public import ObjectModel

/// An ordered list of object IDs in sections: the results of a fetch as a value.
///
/// It takes 8 bytes an object if keys are integers. Without a section key it has one section named
/// "", which may be empty; with one, no section is empty.
public struct ResultsSections: Sendable {
  /// The IDs, section after section.
  public internal(set) var ids: ObjectIDList
  /// The names of the sections.
  public let names: [String]
  /// Whether sections are made by a key.
  package let isSectioned: Bool
  let counts: RunningCounts

  /// Makes a list of fetched IDs.
  ///
  /// - Parameters:
  ///   - fetched: The fetched IDs; the section counts add up to the number of IDs.
  ///   - isSectioned: Whether it was fetched with a section key.
  package init(_ fetched: FetchedIDs, isSectioned: Bool) {
    ids = fetched.ids
    self.isSectioned = isSectioned
    names = isSectioned ? fetched.sections.map(\.name) : [""]
    counts = RunningCounts(isSectioned ? fetched.sections.map(\.count) : [fetched.ids.count])
    precondition(
      counts.total == ids.count,
      "Sections of \(counts.total) objects were given for a list of \(ids.count).")
  }

  /// How many objects there are in all.
  public var count: Int { ids.count }

  /// How many sections there are.
  package var sectionCount: Int { names.count }

  /// How many objects a section has.
  public func count(inSection section: Int) -> Int {
    precondition(
      names.indices.contains(section),
      "Section \(section) is out of range: the list has \(names.count).")
    return counts.counts[section]
  }

  /// The range of a section's objects in ``ids``.
  ///
  /// - Complexity: O(log of the sections).
  public func range(ofSection section: Int) -> Range<Int> {
    let length = count(inSection: section)
    let start = counts.start(of: section)
    return start..<start + length
  }

  /// The IDs of the objects of a section, without creating objects.
  ///
  /// - Parameter section: The index of the section.
  /// - Returns: The IDs in order.
  public func itemIdentifiers(inSection section: Int) -> ObjectIDList.SubSequence {
    ids[range(ofSection: section)]
  }

  /// The index path of an index in ``ids``.
  ///
  /// - Complexity: O(log of the sections).
  package func indexPath(at index: Int) -> IndexPath {
    precondition(
      ids.indices.contains(index), "Index \(index) is out of range: the list has \(ids.count).")
    let (section, row) = counts.run(holding: index)
    return IndexPath(row: row, section: section)
  }

  /// The index in ``ids`` of an index path; traps if there is no such row.
  ///
  /// - Complexity: O(log of the sections).
  package func index(at indexPath: IndexPath) -> Int {
    let (section, row) = (indexPath.section, indexPath.row)
    let length = count(inSection: section)
    precondition(
      row >= 0 && row < length,
      "Row \(row) is out of range: section \(section) has \(length).")
    return counts.start(of: section) + row
  }

  /// Whether there is a row at an index path.
  package func contains(_ indexPath: IndexPath) -> Bool {
    names.indices.contains(indexPath.section) && indexPath.row >= 0
      && indexPath.row < counts.counts[indexPath.section]
  }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  package func indexPath(of id: ObjectID) -> IndexPath? {
    ids.index(of: id).map { indexPath(at: $0) }
  }

  /// The section with a name; nil if there is none.
  ///
  /// - Complexity: O(sections).
  public func section(named name: String) -> Int? { names.firstIndex(of: name) }

  /// The first section whose name an earlier one has too, and the index of its first object.
  var firstOutOfOrder: (name: String, index: Int)? {
    var seen = Set<String>(minimumCapacity: names.count)
    for (section, name) in names.enumerated() where !seen.insert(name).inserted {
      return (name, counts.start(of: section))
    }
    return nil
  }
}

extension ResultsSections: Equatable {
  /// Compares sections and IDs.
  public static func == (lhs: ResultsSections, rhs: ResultsSections) -> Bool {
    lhs.isSectioned == rhs.isSectioned && lhs.names == rhs.names
      && lhs.counts.counts == rhs.counts.counts
      && (lhs.ids == rhs.ids || lhs.ids.elementsEqual(rhs.ids))
  }
}

/// An edit that would split a section in two, or change the order of sections.
///
/// The list is outdated then, or its order does not keep sections together.
struct SplitSection: Error {}

extension ResultsSections {
  /// Removes and inserts rows.
  ///
  /// - Complexity: One move of the keys, and one pass over the sections.
  /// - Throws: ``SplitSection`` if an object does not belong between its neighbours.
  func applying(_ edits: ListEdits) throws(SplitSection) -> ResultsSections {
    let sections = zip(names, counts.counts).map { SectionRun(name: $0, count: $1) }
    let new = ResultsSections(
      FetchedIDs(ids: ids, sections: sections).applying(edits, isSectioned: isSectioned),
      isSectioned: isSectioned)
    guard new.names != names else { return new }
    let (before, after) = (Set(names), Set(new.names))
    guard after.count == new.names.count,
      names.filter(after.contains) == new.names.filter(before.contains)
    else { throw SplitSection() }
    return new
  }
}

/// The lengths of runs, and the positions at which they start.
///
/// `SectionOffsets` of TerminalKit, which imports nothing, has those of the sections of a table.
struct RunningCounts: Hashable, Sendable {
  let counts: [Int]
  /// The sums of the runs before each run; last the sum of all.
  private let starts: [Int]

  /// - Complexity: O(*n*).
  init(_ counts: [Int]) {
    self.counts = counts
    starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  var total: Int { starts[counts.count] }

  /// The position at which a run starts: the sum of the runs before it.
  func start(of index: Int) -> Int { starts[index] }

  /// The run that contains a position less than the total, and the offset within it.
  ///
  /// - Complexity: O(log *n*).
  func run(holding position: Int) -> (index: Int, offset: Int) {
    let index = starts.partitioningIndex { $0 > position } - 1
    return (index, position - starts[index])
  }
}

extension IndexPath {
  /// Makes the index path of a row.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// Makes the index path of an item: of a row, as grids call it.
  public init(item: Int, section: Int) { self.init(row: item, section: section) }

  /// The section; -1 for an empty path.
  public var section: Int { isEmpty ? -1 : self[0] }

  /// The row within its section; -1 for a path of fewer than two indexes.
  public var row: Int { count < 2 ? -1 : self[1] }

  /// The item within its section: the row, as grids call it.
  public var item: Int { row }
}
