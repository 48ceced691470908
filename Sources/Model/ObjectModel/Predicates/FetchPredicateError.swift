/// An error in a predicate: in its syntax, or for the model it is used with.
///
/// The properties are data; `description` is the sentence for a person, ``caret`` marks the error
/// in the text.
public struct FetchPredicateError: Error, Hashable, Sendable {
  /// The whole text of the predicate.
  package var text: String
  /// The range of the error in the text, in characters; empty at the end if something is missing
  /// there.
  package var range: Range<Int>
  /// What is wrong, without a full stop.
  public var message: String
  /// What was expected; empty if the message says it.
  package var expected: String
  /// The nearest existing names, best first; empty if none is near.
  package var suggestions: [String]

  /// Creates an error.
  package init(
    _ message: String, in text: String, at range: Range<Int>, expected: String = "",
    suggestions: [String] = []
  ) {
    self.text = text
    self.range = range
    self.message = message
    self.expected = expected
    self.suggestions = suggestions
  }
}

extension FetchPredicateError: CustomStringConvertible {
  /// The sentence for a person: what is wrong, what was expected, and the nearest existing names.
  public var description: String {
    message + (expected.isEmpty ? "" : ": expected \(expected)")
      + NearestNames.hint(suggestions.contains(where: expected.contains) ? [] : suggestions)
  }

  /// The line of the text with the error, and a second line with carets under it.
  ///
  /// A long line is shortened around the error. Carets count terminal columns, and control
  /// characters are shown as signs.
  public var caret: String {
    let line = shownLine
    return line.text + "\n" + String(repeating: " ", count: line.offset)
      + String(repeating: "^", count: line.length)
  }

  private var shownLine: (text: String, offset: Int, length: Int) {
    let characters = Array(text)
    let start = min(max(range.lowerBound, 0), characters.count)
    let end = min(max(range.upperBound, start), characters.count)
    let lineStart = characters[..<start].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
    let lineEnd = characters[start...].firstIndex(where: \.isNewline) ?? characters.count
    let first = max(lineStart, start - 50)
    let last = min(lineEnd, max(end, start) + 50, first + 120)
    let head = first > lineStart ? "…" : ""
    let shown = characters[first..<last].map(\.shown)
    func columns(_ range: Range<Int>) -> Int {
      shown[range].reduce(0) { $0 + $1.columnCount }
    }
    let middle = start - first
    return (
      head + shown.joined() + (last < lineEnd ? "…" : ""),
      head.count + columns(0..<middle),
      max(1, columns(middle..<max(middle, min(end, last) - first)))
    )
  }
}

extension Character {
  /// The character, with signs in place of control characters.
  fileprivate var shown: String {
    if self == "\t" { return " " }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch (scalar.value, scalar.properties.generalCategory) {
      case (0..<0x20, _): text.unicodeScalars.append(UnicodeScalar(0x2400 + scalar.value) ?? " ")
      case (0x7F, _): text += "␡"
      case (0x200D, _): text.unicodeScalars.append(scalar)
      case (_, .control), (_, .format), (_, .lineSeparator), (_, .paragraphSeparator): text += "�"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension String {
  /// The number of terminal columns of a shown character.
  fileprivate var columnCount: Int {
    if unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }) {
      return 2
    }
    return reduce(0) { $0 + ($1.unicodeScalars.first?.isWide == true ? 2 : 1) }
  }
}

extension UnicodeScalar {
  /// Whether the scalar is wide or fullwidth (East Asian Width W and F).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF,
      0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension FetchPredicateError {
  /// The error of a variable without a value.
  static func noValue(of variable: String) -> FetchPredicateError {
    let name = "$\(variable)"
    return FetchPredicateError(
      "The variable \(name) has no value", in: name, at: 0..<name.count,
      expected: "a value in its place (code gives it with withSubstitutionVariables)")
  }

  /// Creates an error with a range in Unicode scalars.
  init(
    _ message: String, scalars: Range<Int>, of text: String, expected: String = "",
    suggestions: [String] = []
  ) {
    self.init(
      message, in: text, at: Self.characters(scalars, of: text), expected: expected,
      suggestions: suggestions)
  }

  /// Converts a range of Unicode scalars to the range of characters that contains it.
  private static func characters(_ scalars: Range<Int>, of text: String) -> Range<Int> {
    var (lower, upper): (Int?, Int?) = (nil, nil)
    var (character, scalar) = (0, 0)
    for next in text {
      let end = scalar + next.unicodeScalars.count
      if lower == nil, scalars.lowerBound < end { lower = character }
      if upper == nil, scalars.upperBound <= end { upper = character + (scalars.isEmpty ? 0 : 1) }
      (character, scalar) = (character + 1, end)
    }
    let start = lower ?? character
    return start..<max(start, upper ?? character)
  }
}
