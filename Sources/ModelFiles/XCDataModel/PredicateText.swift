import ObjectModel

/// Conditions and expressions as models write them, in the one form that compiled models give them too.
enum PredicateText {
  /// A condition's text as it is written after it was read; nil for one that is not understood.
  static func canonical(_ text: String) -> String? { predicate(text)?.description }

  /// An expression's text as it is written after it was read; nil for one that is not understood.
  static func canonicalExpression(_ text: String) -> String? { expression(text)?.text }

  /// The condition that a text is; nil for one that is not understood.
  static func predicate(_ text: String) -> FetchPredicate? {
    do { return try FetchPredicate(format: text) } catch { return nil }
  }

  /// The expression that a text is; nil for one that is not understood.
  ///
  /// The language knows expressions as sides of a comparison only, so it is read as one.
  static func expression(_ text: String) -> FetchPredicate.Expression? {
    guard case .comparison(let comparison)? = predicate(text + " == NULL")?.node,
      comparison.modifier == .direct, comparison.operation == .equal,
      comparison.right == .constant(.null)
    else { return nil }
    return comparison.left
  }
}
