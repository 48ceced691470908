import ObjectModel

/// A command line, split into the command's name and its argument.
struct CommandText: Hashable {
  let name: String
  let argument: String
  /// The number of characters before the name, and before the argument.
  let nameOffset: Int
  let argumentOffset: Int

  /// Splits a text; blanks and colons before the name do not count.
  init(_ text: String) {
    let characters = Array(text)
    let start = characters.firstIndex { !$0.isWhitespace && $0 != ":" } ?? characters.count
    let end = characters[start...].firstIndex(where: \.isWhitespace) ?? characters.count
    let rest = characters[end...].firstIndex { !$0.isWhitespace } ?? characters.count
    name = String(characters[start..<end])
    var argument = String(characters[rest...])
    while argument.last?.isWhitespace == true { argument.removeLast() }
    self.argument = argument
    (nameOffset, argumentOffset) = (start, rest)
  }

  /// The row or the percentage that the line goes to, as `42` and `50%`; nil for another line.
  var motion: (action: Action, count: Int)? {
    guard argument.isEmpty else { return nil }
    let isPercent = name.hasSuffix("%")
    let digits = isPercent ? String(name.dropLast()) : name
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits.prefix(9))
    else { return nil }
    return (isPercent ? .percent : .last, number)
  }
}

extension TypedTextError {
  init(unknownCommand name: String, at range: Range<Int>, offering names: [String]) {
    self.init(
      "there is no command “\(name)”", at: range,
      suggestions: NearestNames.suggestions(for: name, in: names), expected: ":help lists them")
  }
}
