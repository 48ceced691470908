import ObjectModel

/// A validation rule of an attribute, parsed.
struct ValueRule: Sendable {
  let predicate: FetchPredicate
  /// The rule as written in the model.
  let text: String

  /// Parses a rule; nil if that is not possible.
  ///
  /// A rule refers to the value as SELF, and to the length of text as `length`.
  init?(_ rule: ValidationRule) {
    guard let parsed = try? FetchPredicate(format: rule.predicate) else { return nil }
    predicate = FetchPredicate(
      parsed.node.replacing { $0 == .selfObject ? .keyPath([RuleSubject.valueKey]) : $0 })
    text = rule.predicate
  }
}

/// The value that a rule is evaluated on.
struct RuleSubject: PredicateSubject {
  static let valueKey = "value"

  let value: Value

  var objectID: ObjectID { ObjectID(storeIdentifier: "", entityName: "", key: .temporary(0)) }

  func operand(forKey key: String) -> PredicateOperand {
    switch (key, value) {
    case (Self.valueKey, _): .value(value)
    case ("length", .string(let text)): .value(.integer(Int64(text.utf16.count)))
    default: .missing
    }
  }
}
