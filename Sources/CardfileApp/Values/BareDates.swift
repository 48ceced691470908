/// A predicate's text with quotes put around dates that were typed without: `born > 1950-01-01`.
///
/// Without them that is a subtraction, which nobody means.
struct BareDates: Hashable {
  /// The text with quotes.
  let text: String
  /// The place in the typed text of each character of ``text``.
  private let origins: [Int]

  init(_ typed: String) {
    let characters = Array(typed)
    var result: [Character] = []
    var origins: [Int] = []
    var quote: Character?
    var place = 0
    func add(_ character: Character, from origin: Int) {
      result.append(character)
      origins.append(origin)
    }
    while place < characters.count {
      let character = characters[place]
      if let open = quote {
        if character == "\\", place + 1 < characters.count {
          add(character, from: place)
          place += 1
        } else if character == open {
          quote = nil
        }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if Self.isDate(characters, at: place) {
        add("\"", from: place)
        for digit in place..<place + 10 { add(characters[digit], from: digit) }
        add("\"", from: place + 9)
        place += 10
        continue
      }
      add(characters[place], from: place)
      place += 1
    }
    text = String(result)
    self.origins = origins
  }

  /// The place in the typed text of a place in ``text``.
  func typedRange(_ range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<origins.count)
    guard let last = origins.last else { return 0..<0 }
    guard !range.isEmpty else {
      let start = range.lowerBound < origins.count ? origins[range.lowerBound] : last + 1
      return start..<start
    }
    return origins[range.lowerBound]..<origins[range.upperBound - 1] + 1
  }

  private static func isDate(_ characters: [Character], at place: Int) -> Bool {
    guard place + 10 <= characters.count else { return false }
    func isWord(_ index: Int) -> Bool {
      guard characters.indices.contains(index) else { return false }
      return characters[index].isLetter || characters[index].isNumber
        || "_.-".contains(characters[index])
    }
    guard !isWord(place - 1), !isWord(place + 10) else { return false }
    return (0..<10).allSatisfy { offset in
      let character = characters[place + offset]
      return offset == 4 || offset == 7 ? character == "-" : character.isASCII && character.isNumber
    }
  }
}
