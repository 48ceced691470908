import ObjectModel

/// Integer keys of one table, a bit for each that it might have.
struct KeySet {
  private let bounds: ClosedRange<Int64>
  private var words: [UInt64]
  private(set) var count = 0

  /// How many bits there may be for each row: the rows themselves take as many in a list.
  private static let mostBits = 64

  /// Makes an empty set; nil if the keys of a number of rows are too far apart.
  init?(_ bounds: ClosedRange<Int64>, for rowCount: Int) {
    let (span, overflow) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    guard !overflow, span / Int64(Self.mostBits) <= rowCount else { return nil }
    self.bounds = bounds
    words = Array(repeating: 0, count: Int(span) / UInt64.bitWidth + 1)
  }

  /// Adds a key that is not in the set; false for one that the table does not have.
  mutating func add(_ key: Int64) -> Bool {
    guard let (word, bit) = place(of: key) else { return false }
    words[word] |= bit
    count += 1
    return true
  }

  /// Adds other keys of the same table.
  mutating func add(_ others: KeySet) {
    for index in words.indices { words[index] |= others.words[index] }
    count += others.count
  }

  private func contains(_ key: Int64) -> Bool {
    place(of: key).map { words[$0.word] & $0.bit != 0 } ?? false
  }

  /// The word of a key and its bit there; nil for a key that the table does not have.
  private func place(of key: Int64) -> (word: Int, bit: UInt64)? {
    guard bounds.contains(key) else { return nil }
    let position = Int(key - bounds.lowerBound)
    return (position / UInt64.bitWidth, 1 << UInt64(position % UInt64.bitWidth))
  }

  /// The rows of a list with these keys, in its order; nil if it does not have all of them, or its
  /// IDs have no codes.
  ///
  /// - Complexity: One pass over the list.
  func filter(_ list: FetchedIDs) -> FetchedIDs? {
    list.ids.withCoding { codes, coding in
      let coder = coding.keyCoder
      var found: [Int64] = []
      found.reserveCapacity(count)
      var sections: [SectionRun] = []
      var start = 0
      let whole = [SectionRun(name: "", count: codes.count)]
      for section in list.sections.isEmpty ? whole : list.sections {
        let before = found.count
        for code in codes[start..<start + section.count] where contains(coder.key(ofCode: code)) {
          found.append(code)
        }
        start += section.count
        if found.count > before {
          sections.append(SectionRun(name: section.name, count: found.count - before))
        }
      }
      guard found.count == count else { return nil }
      return FetchedIDs(
        ids: ObjectIDList(codes: found, coding), sections: list.sections.isEmpty ? [] : sections)
    } ?? nil
  }
}
