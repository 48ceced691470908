/// The layout of the section index at the right edge of a table.
///
/// If there are more titles than lines, the first and the last are kept, the others are spread
/// evenly, and a line between two titles stands for the omitted ones.
package struct IndexStrip: Hashable, Sendable {
  /// The titles that each line stands for: one title, or a range of omitted ones.
  private var lines: [Range<Int>] = []
  private var isShown: [Bool] = []

  /// Lays out the titles.
  ///
  /// - Parameters:
  ///   - count: The number of titles.
  ///   - height: The number of lines available.
  package init(count: Int, height: Int) {
    guard count > 0, height > 0 else { return }
    guard count > height else {
      lines = (0..<count).map { $0..<$0 + 1 }
      isShown = Array(repeating: true, count: count)
      return
    }
    guard height > 2 else {
      append(0..<count, isShown: true)
      return
    }
    // Titles alternate with lines for omitted ones; the first and the last line are titles.
    let shown = (height + 1) / 2
    var last = -1
    for step in 0..<shown {
      let title = step * (count - 1) / (shown - 1)
      if title > last + 1, last >= 0 { append((last + 1)..<title, isShown: false) }
      append(title..<title + 1, isShown: true)
      last = title
    }
  }

  private mutating func append(_ titles: Range<Int>, isShown shown: Bool) {
    lines.append(titles)
    isShown.append(shown)
  }

  /// The number of lines used.
  package var count: Int { lines.count }

  /// Returns the index of the title shown on a line; nil if the line is unused or stands for
  /// omitted titles.
  package func title(onLine line: Int) -> Int? {
    guard lines.indices.contains(line), isShown[line] else { return nil }
    return lines[line].lowerBound
  }

  /// Returns the index of the title selected by a click on a line; nil below the last line.
  ///
  /// On a line for omitted titles it is the one in the middle.
  package func title(hitOnLine line: Int) -> Int? {
    guard lines.indices.contains(line) else { return nil }
    return lines[line].lowerBound + lines[line].count / 2
  }

  /// Returns the line that shows a title or stands for it; nil if there is no such title.
  package func line(ofTitle title: Int) -> Int? {
    lines.firstIndex { $0.contains(title) }
  }
}

/// Shortens the titles of an index strip.
enum IndexTitles {
  /// The greatest width of a title in cells.
  static let maximumWidth = 8
  /// The greatest width of titles that are words.
  private static let widestWord = 4

  /// Returns titles without what they have in common, and words cut to what distinguishes them.
  ///
  /// - Complexity: O(*n*) in the number of titles.
  static func shortened(_ titles: [String]) -> [String] {
    let titles = withoutCommonBeginning(titles)
    // Numbers and dates differ at their ends.
    let words = titles.filter { !$0.contains(where: \.isNumber) }
    guard words.count > 1, words.contains(where: { $0.count > 1 }) else { return titles }
    let length =
      (1..<widestWord).first { length in
        Set(titles.lazy.map { $0.prefix(length) }).count == titles.count
      } ?? widestWord
    return titles.map { $0.contains(where: \.isNumber) ? $0 : String($0.prefix(length)) }
  }

  /// Returns titles without the beginning that all of them have in common.
  ///
  /// The cut is between words, or between letters and digits: `Track 10`, `Track 11` become `10`,
  /// `11`. Only a beginning that fills the strip is cut within a word. Titles of one character,
  /// such as `#`, stay as they are.
  ///
  /// - Complexity: O(*n*) in the number of titles.
  static func withoutCommonBeginning(_ titles: [String]) -> [String] {
    let long = titles.lazy.filter { $0.count > 1 }.map(Array.init)
    guard let first = long.first, long.dropFirst().first != nil else { return titles }
    // Every title keeps a character.
    var common = first.count - 1
    for title in long {
      common = min(common, title.count - 1)
      common = (0..<common).first { title[$0] != first[$0] } ?? common
      guard common > 0 else { return titles }
    }
    var cut = common
    while cut > 0, long.contains(where: { isOneWord($0[cut - 1], $0[cut]) }) { cut -= 1 }
    if common - cut >= maximumWidth { cut = common }
    return titles.map { $0.count > 1 ? String($0.dropFirst(cut)) : $0 }
  }

  /// The year of a month or day that is too wide, as `2021` of `2021-07`; any other title as it is.
  static func fitting(_ title: String, columns: Int) -> String {
    let year = title.prefix { $0.isNumber }
    let isDate = year.count == 4 && title.dropFirst(4).first == "-"
    return isDate && title.count > columns ? String(year) : title
  }

  private static func isOneWord(_ left: Character, _ right: Character) -> Bool {
    left.isLetter && right.isLetter || left.isNumber && right.isNumber
  }
}
