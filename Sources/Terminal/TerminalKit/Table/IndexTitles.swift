/// Shortens the titles of an index strip.
enum IndexTitles {
  /// The greatest width of a title in cells.
  static let maximumWidth = 8

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

  private static func isOneWord(_ left: Character, _ right: Character) -> Bool {
    left.isLetter && right.isLetter || left.isNumber && right.isNumber
  }
}
