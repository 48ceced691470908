/// A predicate that cannot be understood, as data.
///
/// `description` makes the sentence, ``caret`` shows the place.
public struct FetchPredicateError: Error, Hashable, Sendable {
  /// The whole text of the predicate.
  public var text: String
  /// Where in the text it went wrong, in characters; an empty range at the end when something is missing there.
  public var range: Range<Int>
  /// What is wrong, as the beginning of a sentence without a full stop.
  public var message: String
  /// What would have been right; empty when the message says it all.
  public var expected: String
  /// Names that may have been meant, best first.
  public var suggestions: [String]

  /// Describes an error.
  ///
  /// - Parameters:
  ///   - message: What is wrong.
  ///   - text: The whole text of the predicate.
  ///   - range: Where it went wrong, in characters.
  ///   - expected: What would have been right.
  ///   - suggestions: Names that may have been meant.
  public init(
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
  /// The sentence for a person: what is wrong, what was expected, and the nearest names.
  public var description: String {
    message + (expected.isEmpty ? "" : ": expected \(expected)")
      + NearestNames.hint(suggestions)
  }

  /// The line of the text in which it went wrong, and under it carets at the place.
  ///
  /// A long line is cut around the place. The carets stand right where each character is one column wide.
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
    let shown = characters[first..<last].map { $0 == "\t" ? " " : $0 }
    return (
      head + String(shown) + (last < lineEnd ? "…" : ""), head.count + start - first,
      max(1, min(end, last) - start)
    )
  }
}
