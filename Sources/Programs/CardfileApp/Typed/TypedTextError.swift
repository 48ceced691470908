package import ObjectModel
import TerminalKit

/// An error in a text that a person typed: what is wrong, where, and what to type instead.
package nonisolated struct TypedTextError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  package var message: String
  /// The range of the error in the text, in characters; empty at the end if something is missing.
  package var range: Range<Int>
  /// The nearest existing names, best first; empty if none is near.
  package var suggestions: [String]
  /// What was expected; empty if the message says it.
  package var expected: String

  /// Creates an error.
  package init(
    _ message: String, at range: Range<Int>, suggestions: [String] = [], expected: String = ""
  ) {
    self.message = message
    self.range = range
    self.suggestions = suggestions
    self.expected = expected
  }

  /// The error of a predicate.
  package init(_ error: FetchPredicateError) {
    self.init(
      error.message, at: error.range, suggestions: error.suggestions, expected: error.expected)
  }

  /// The error for a name that is not among the known ones.
  package init(
    unknown name: String, in owner: String, at range: Range<Int>, offering names: [String]
  ) {
    self.init(
      "no “\(name)” in \(owner)", at: range,
      suggestions: NearestNames.suggestions(for: name, in: names))
  }

  /// The same error in a longer text, in which this one's begins at an offset.
  package func moved(by offset: Int) -> TypedTextError {
    var error = self
    error.range = range.lowerBound + offset..<range.upperBound + offset
    return error
  }
}

extension TypedTextError {
  /// The error as the bar shows it in which the text was typed.
  @MainActor
  var problem: PromptBar.Problem {
    .init(message, at: range, suggestions: suggestions, expected: expected)
  }
}
