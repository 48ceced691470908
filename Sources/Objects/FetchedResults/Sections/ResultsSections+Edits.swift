import ManagedObjects
import ObjectModel

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
