import Foundation

extension PredicateValidator {
  /// Refuses a text operator with an attribute that never contains text.
  func checkText(
    _ operation: FetchPredicate.Operator, _ checked: Checked
  ) throws(FetchPredicateError) {
    switch operation {
    case .contains, .in, .beginsWith, .endsWith, .like, .matches: break
    default: return
    }
    guard case .attribute(let attribute) = checked.type.member, !attribute.type.canHoldText else {
      return
    }
    throw error(
      "\(PredicateWords.sign[operation] ?? "") requires text, but \(attribute.name) is "
        + attribute.type.phrase, at: checked.occurrence,
      expected: "a comparison, or CAST(\(checked.occurrence.expression.text), \"NSString\")")
  }

  /// Refuses a comparison of an object with a literal other than null.
  func checkObject(
    _ checked: Checked, against other: Expression
  ) throws(FetchPredicateError) {
    guard case .object(let entity) = checked.type.member, case .constant(let value) = other,
      !value.isNull
    else { return }
    throw error(
      "“\(checked.occurrence.expression.text)” is an object (\(entity.name)) "
        + "and cannot be compared with \(other.text)",
      at: checked.occurrence, expected: "one of its attributes, or NULL")
  }

  /// Converts the literals of an expression to the type of the other operand.
  func coerced(
    _ checked: Checked, to type: PredicateType
  ) throws(FetchPredicateError) -> Expression {
    guard case .attribute(let attribute) = type else { return checked.expression }
    switch checked.expression {
    case .constant(let value):
      return .constant(try coerced(value, to: attribute, at: checked.occurrence))
    case .list:
      return .list(
        try checked.items.map { item throws(FetchPredicateError) in try coerced(item, to: type) })
    default: return checked.expression
    }
  }

  private func coerced(
    _ value: Value, to attribute: AttributeDescription, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> Value {
    switch (attribute.type, value) {
    case (_, .null): return value
    case (.string, .integer), (.string, .double), (.string, .decimal):
      return .string(value.description)
    case (.date, .date): return value
    case (.date, .string(let text)):
      if let date = AttributeDescription.reading(text, as: .date) { return date }
    case (.date, .integer), (.date, .double), (.date, .decimal), (.date, .bool): break
    case (.integer16, .string(let text)), (.integer32, .string(let text)),
      (.integer64, .string(let text)), (.decimal, .string(let text)):
      if let number = AttributeDescription.reading(text, as: .integer64) { return number }
    case (.double, .string(let text)), (.float, .string(let text)):
      if let number = AttributeDescription.reading(text, as: .double) { return number }
    case (.boolean, .string(let text)), (.uuid, .string(let text)):
      if let read = AttributeDescription.reading(text, as: attribute.type) { return read }
    default: return value
    }
    throw error(
      "\(attribute.name) is \(attribute.type.phrase), but \(occurrence.expression.text) is not",
      at: occurrence, expected: attribute.type.literalExample)
  }
}

extension FetchPredicate.Expression {
  /// Whether this is a list.
  var isList: Bool { if case .list = self { true } else { false } }
}

extension AttributeType {
  /// Whether values can be text.
  fileprivate var canHoldText: Bool {
    switch self {
    case .string, .uri, .undefined, .transformable: true
    default: false
    }
  }

  /// An example of a literal of the type in a predicate.
  fileprivate var literalExample: String {
    switch self {
    case .date: "a date such as '2024-05-01' or '2024-05-01T12:00:00Z'"
    case .boolean: "TRUE or FALSE"
    default: example
    }
  }
}
