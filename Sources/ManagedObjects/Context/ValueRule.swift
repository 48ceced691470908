import ObjectModel

/// A rule of a model on the values of an attribute, ready to be checked.
struct ValueRule: Sendable {
  let predicate: FetchPredicate
  /// The rule as the model writes it.
  let text: String

  /// Reads a rule; nil for one that is no predicate of ours.
  ///
  /// A rule speaks of the value as SELF; the length of text goes by its own name there.
  init?(_ rule: ValidationRule) {
    let words = rule.predicate.replacing("SELF", with: RuleSubject.valueKey)
    guard let predicate = try? FetchPredicate(format: words) else { return nil }
    self.predicate = predicate
    text = rule.predicate
  }
}

/// A value as a rule sees it.
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
