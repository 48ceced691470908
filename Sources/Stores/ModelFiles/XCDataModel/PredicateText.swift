import ObjectModel

/// Parses predicates and expressions of source models, and normalizes their text to the form that
/// compiled models give.
enum PredicateText {
  /// The predicate format, parsed and printed again; nil if it cannot be parsed.
  static func canonical(_ text: String) -> String? { predicate(text)?.description }

  /// The text of an expression, parsed and printed again; nil if it cannot be parsed.
  static func canonicalExpression(_ text: String) -> String? { expression(text)?.text }

  /// Parses a predicate; nil if the text is invalid.
  static func predicate(_ text: String) -> FetchPredicate? {
    do { return try FetchPredicate(format: text) } catch { return nil }
  }

  /// Parses an expression; nil if the text is invalid.
  ///
  /// The grammar has expressions only as operands, so the text is parsed as the left side of a
  /// comparison.
  static func expression(_ text: String) -> FetchPredicate.Expression? {
    guard case .comparison(let comparison)? = predicate(text + " == NULL")?.node,
      comparison.modifier == .direct, comparison.operation == .equal,
      comparison.right == .constant(.null)
    else { return nil }
    return comparison.left
  }
}
