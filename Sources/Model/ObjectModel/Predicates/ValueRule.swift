/// A validation rule of an attribute, parsed.
package struct ValueRule: Sendable {
  private let predicate: FetchPredicate
  /// The rule as written in the model.
  package let text: String

  /// Parses a rule; nil if that is not possible.
  ///
  /// A rule refers to the value as SELF, and to the length of text as `length`.
  package init?(_ rule: ValidationRule) {
    guard let parsed = try? FetchPredicate(format: rule.predicate) else { return nil }
    predicate = FetchPredicate(
      parsed.node.replacing { $0 == .selfObject ? .keyPath([RuleSubject.valueKey]) : $0 })
    text = rule.predicate
  }

  /// Whether a value, not null and decoded, meets the rule.
  ///
  /// - Throws: What the predicate throws for a value that it cannot be evaluated on.
  package func allows(_ value: Value) throws -> Bool {
    try predicate.matches(RuleSubject(value: value))
  }
}

/// The value that a rule is evaluated on.
private struct RuleSubject: PredicateSubject {
  static let valueKey = "value"

  let value: Value

  var objectID: ObjectID { ObjectID(storeIdentifier: "", entityName: "", key: .temporary(0)) }

  func operand(forKey key: String) -> PredicateOperand {
    switch (key, value) {
    case (Self.valueKey, _): .value(value)
    case ("length", .string(let text)): .value(.integer(Int64(text.storedLength)))
    default: .missing
    }
  }
}
