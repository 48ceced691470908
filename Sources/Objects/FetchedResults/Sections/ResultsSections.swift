public import Foundation
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
  public let isSectioned: Bool
  let counts: RunningCounts

  /// Makes a list of fetched IDs.
  ///
  /// - Parameters:
  ///   - fetched: The fetched IDs; the section counts add up to the number of IDs.
  ///   - isSectioned: Whether it was fetched with a section key.
  public init(_ fetched: FetchedIDs, isSectioned: Bool) {
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
  public var sectionCount: Int { names.count }

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
  public func indexPath(at index: Int) -> IndexPath {
    precondition(
      ids.indices.contains(index), "Index \(index) is out of range: the list has \(ids.count).")
    let (section, row) = counts.run(holding: index)
    return IndexPath(row: row, section: section)
  }

  /// The index in ``ids`` of an index path; traps if there is no such row.
  ///
  /// - Complexity: O(log of the sections).
  public func index(at indexPath: IndexPath) -> Int {
    let (section, row) = (indexPath.section, indexPath.row)
    let length = count(inSection: section)
    precondition(
      row >= 0 && row < length,
      "Row \(row) is out of range: section \(section) has \(length).")
    return counts.start(of: section) + row
  }

  /// Whether there is a row at an index path.
  public func contains(_ indexPath: IndexPath) -> Bool {
    names.indices.contains(indexPath.section) && indexPath.row >= 0
      && indexPath.row < counts.counts[indexPath.section]
  }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(of id: ObjectID) -> IndexPath? {
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
