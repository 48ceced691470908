/// Where each section begins, when the rows are counted through all sections.
///
/// - Complexity: Made in O(sections); places are found in O(log sections), whatever the number of
///   rows.
struct SectionOffsets: Hashable, Sendable {
  /// The first row of each section, and at the end the number of all rows.
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

  /// The rows of a section; empty for a section that does not exist.
  func rows(in section: Int) -> Range<Int> {
    guard section >= 0, section < numberOfSections else { return 0..<0 }
    return starts[section]..<starts[section + 1]
  }

  func count(in section: Int) -> Int { rows(in: section).count }

  /// The first row of a section; the end of all rows for a section past the last.
  func start(of section: Int) -> Int { starts[min(max(section, 0), numberOfSections)] }

  /// The row of a path; nil when there is no such row.
  func row(at path: TablePath) -> Int? {
    let rows = rows(in: path.section)
    guard path.row >= 0, path.row < rows.count else { return nil }
    return rows.lowerBound + path.row
  }

  /// The path of a row; nil when there is no such row.
  func path(of row: Int) -> TablePath? {
    guard row >= 0, row < numberOfRows else { return nil }
    let section = lastSection { starts[$0] <= row }
    return TablePath(section: section, row: row - starts[section])
  }

  /// The last section for which a test that turns from true to false holds; 0 when it never does.
  func lastSection(where test: (Int) -> Bool) -> Int {
    var low = 0
    var high = numberOfSections
    while low < high {
      let middle = (low + high) / 2
      if test(middle) { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }
}
