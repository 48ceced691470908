/// The row numbers at which sections begin; row numbers count across all sections.
///
/// The lists of FetchedResults count their sections in the same way; TerminalKit has paths and
/// clamps, and imports no module with objects.
///
/// - Complexity: Creation is O(sections), a lookup O(log sections), whatever the number of rows.
struct SectionOffsets: Hashable, Sendable {
  /// The first row of each section, followed by the total number of rows.
  private var starts: [Int] = [0]

  init(counts: some Sequence<Int> = []) {
    var total = 0
    for count in counts {
      total += max(count, 0)
      starts.append(total)
    }
  }

  var numberOfSections: Int { starts.count - 1 }
  var numberOfRows: Int { starts[starts.count - 1] }

  /// Returns the row numbers of a section; empty if the section does not exist.
  func rows(in section: Int) -> Range<Int> {
    guard section >= 0, section < numberOfSections else { return 0..<0 }
    return starts[section]..<starts[section + 1]
  }

  func count(in section: Int) -> Int { rows(in: section).count }

  /// Returns the first row number of a section; the number of rows for a section past the last.
  func start(of section: Int) -> Int { starts[min(max(section, 0), numberOfSections)] }

  /// Returns the row number at a path; nil if there is no such row.
  func row(at path: TablePath) -> Int? {
    let rows = rows(in: path.section)
    guard path.row >= 0, path.row < rows.count else { return nil }
    return rows.lowerBound + path.row
  }

  /// Returns the path of a row number; nil if there is no such row.
  func path(of row: Int) -> TablePath? {
    guard row >= 0, row < numberOfRows else { return nil }
    let section = lastSection { starts[$0] <= row }
    return TablePath(section: section, row: row - starts[section])
  }

  /// Returns the last section that satisfies a condition; 0 if none does.
  ///
  /// The condition must be true up to some section and false after it.
  func lastSection(where condition: (Int) -> Bool) -> Int {
    max(partitioningIndex(of: numberOfSections, where: condition) - 1, 0)
  }
}

/// Returns the first index from 0 that does not satisfy a condition, by binary search.
///
/// The condition must be true for all indices before the result and false from there on; it is
/// called with indices less than `count`. If it is always true, the result is `count`. ObjectModel,
/// which TerminalKit does not import, has it for collections.
func partitioningIndex(of count: Int, where condition: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if condition(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
