/// An error in a predicate: in its syntax, or for the model it is used with.
///
/// The properties are data; `description` is the sentence for a person, ``caret`` marks the error
/// in the text.
public struct FetchPredicateError: Error, Hashable, Sendable {
  /// The whole text of the predicate.
  public var text: String
  /// The range of the error in the text, in characters; empty at the end if something is missing
  /// there.
  public var range: Range<Int>
  /// What is wrong, without a full stop.
  public var message: String
  /// What was expected; empty if the message says it.
  public var expected: String
  /// The nearest existing names, best first; empty if none is near.
  public var suggestions: [String]

  /// Creates an error.
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
  /// The sentence for a person: what is wrong, what was expected, and the nearest existing names.
  public var description: String {
    message + (expected.isEmpty ? "" : ": expected \(expected)")
      + NearestNames.hint(suggestions)
  }

  /// The line of the text with the error, and a second line with carets under it.
  ///
  /// A long line is shortened around the error. The carets are aligned if each character is one
  /// column wide.
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
