/// The titles of an index strip: those of the sections, adjacent equal ones once.
package struct SectionIndex: Hashable, Sendable {
  /// The titles from top to bottom.
  package private(set) var titles: [String] = []
  /// The first section of each title.
  package private(set) var sections: [Int] = []

  /// Collects titles.
  ///
  /// - Parameters:
  ///   - sectionTitles: The title of each section in order; nil for a section that is left out.
  ///   - first: The number of the first section.
  init(_ sectionTitles: some Sequence<String?>, from first: Int = 0) {
    for (offset, title) in sectionTitles.enumerated() {
      guard let title, title != titles.last else { continue }
      titles.append(title)
      sections.append(first + offset)
    }
  }

  /// The default title of a section: its first letter, capitalised; a digit or sign unchanged.
  ///
  /// - Parameter name: The section's name.
  /// - Returns: One grapheme, or more where the capital letter has several; "" for an empty name.
  package static func title(forSectionName name: String) -> String {
    name.first?.uppercased() ?? ""
  }

  /// Returns the section to scroll to for a section index title, as UITableViewDataSource does.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - index: The position of the title in ``titles``. If another title is there, the first
  ///     position with this title is used.
  /// - Returns: The number of the first section with this title; nil if no section has it.
  package func section(for title: String, at index: Int) -> Int? {
    if titles.indices.contains(index), titles[index] == title { return sections[index] }
    return titles.firstIndex(of: title).map { sections[$0] }
  }
}
