/// A predicate's text with quotes added around dates that were typed without: `born > 1950-01-01`.
///
/// Without quotes that would be a subtraction.
struct QuotedDates {
  /// The text with quotes.
  let text: String
  /// The index in the typed text of each character of ``text``.
  private let origins: [Int]

  init(_ typed: String) {
    let characters = Array(typed)
    var result: [Character] = []
    var origins: [Int] = []
    var quote: Character?
    var index = 0
    func add(_ character: Character, from origin: Int) {
      result.append(character)
      origins.append(origin)
    }
    while index < characters.count {
      let character = characters[index]
      if let open = quote {
        if character == "\\", index + 1 < characters.count {
          add(character, from: index)
          index += 1
        } else if character == open {
          quote = nil
        }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if Self.isDate(characters, at: index) {
        add("\"", from: index)
        for digit in index..<index + 10 { add(characters[digit], from: digit) }
        add("\"", from: index + 9)
        index += 10
        continue
      }
      add(characters[index], from: index)
      index += 1
    }
    text = String(result)
    self.origins = origins
  }

  /// The range in the typed text of a range in ``text``.
  func typedRange(_ range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<origins.count)
    guard let last = origins.last else { return 0..<0 }
    guard !range.isEmpty else {
      let start = range.lowerBound < origins.count ? origins[range.lowerBound] : last + 1
      return start..<start
    }
    return origins[range.lowerBound]..<origins[range.upperBound - 1] + 1
  }

  private static func isDate(_ characters: [Character], at index: Int) -> Bool {
    guard index + 10 <= characters.count else { return false }
    func isWord(_ neighbour: Int) -> Bool {
      guard characters.indices.contains(neighbour) else { return false }
      let character = characters[neighbour]
      return character.isLetter || character.isNumber || "_.-".contains(character)
    }
    guard !isWord(index - 1), !isWord(index + 10) else { return false }
    return (0..<10).allSatisfy { offset in
      let character = characters[index + offset]
      return offset == 4 || offset == 7 ? character == "-" : character.isASCII && character.isNumber
    }
  }
}
