import ObjectModel

/// Thrown where the archive has no form for a part of a predicate.
private struct Inexpressible: Error {}

// Predicates and expressions, given as text in NSPredicate's format language, as archived objects
// (core-data-stores 3.1).
extension KeyedArchiveWriter {
  /// Adds a predicate.
  ///
  /// - Throws: ``ModelFileError`` when the text cannot be parsed, or the predicate cannot be
  ///   archived.
  mutating func add(predicate text: String) throws(ModelFileError) -> PropertyListValue {
    guard let predicate = PredicateText.predicate(text),
      let added = try? encode(predicate.node)
    else { throw unsupported(text) }
    return added
  }

  /// Adds an expression; see ``add(predicate:)``.
  mutating func add(expression text: String) throws(ModelFileError) -> PropertyListValue {
    guard let expression = PredicateText.expression(text), let added = try? encode(expression)
    else { throw unsupported(text) }
    return added
  }

  private func unsupported(_ text: String) -> ModelFileError {
    ModelFileError(
      .unsupported, detail: "\(ModelNotes.quoted(text)) cannot be archived as an NSPredicate",
      remedy: "remove it from the model, or write it in NSPredicate's format")
  }

  private mutating func encode(_ node: FetchPredicate.Node) throws(Inexpressible)
    -> PropertyListValue
  {
    switch node {
    case .constant(let truth):
      return add(.predicate(truth ? "NSTruePredicate" : "NSFalsePredicate"), [:])
    case .not(let inner): return try compound(0, [inner])
    case .and(let nodes): return try compound(1, nodes)
    case .or(let nodes): return try compound(2, nodes)
    case .comparison(let comparison):
      let left = try encode(comparison.left)
      let right = try encode(comparison.right)
      let sign = operation(of: comparison)
      return add(
        .predicate("NSComparisonPredicate"),
        ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": sign])
    }
  }

  private mutating func compound(_ type: Int64, _ nodes: [FetchPredicate.Node])
    throws(Inexpressible) -> PropertyListValue
  {
    let list = array(try nodes.map { node throws(Inexpressible) in try encode(node) }, .array)
    return add(
      .predicate("NSCompoundPredicate"),
      ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list])
  }

  private mutating func operation(of comparison: FetchPredicate.Comparison) -> PropertyListValue {
    let options = PropertyListValue.integer(Int64(comparison.options.rawValue))
    let modifier: Int64 =
      switch comparison.modifier {
      case .direct: 0
      case .all: 1
      case .any: 2
      }
    var values: [String: PropertyListValue] = ["NSModifier": .integer(modifier)]
    let (name, number) =
      FetchPredicate.Operator.archived[comparison.operation] ?? ("NSPredicateOperator", 4)
    values["NSOperatorType"] = .integer(Int64(number))
    switch comparison.operation {
    case .equal, .notEqual:
      values["NSOptions"] = options
      values["NSNegate"] = .bool(comparison.operation == .notEqual)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      values["NSOptions"] = options
      values["NSVariant"] = .integer(Int64(number))
    case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches:
      values["NSFlags"] = options
    }
    if comparison.operation == .beginsWith { values["NSSubstringPosition"] = 0 }
    if comparison.operation == .endsWith { values["NSSubstringPosition"] = 1 }
    return add(.predicateOperator(name), values)
  }

  private mutating func encode(_ expression: FetchPredicate.Expression) throws(Inexpressible)
    -> PropertyListValue
  {
    switch expression {
    case .constant(let value): return constant(value)
    case .selfObject: return add(.expression("NSSelfExpression"), ["NSExpressionType": 1])
    case .keyPath(let keys):
      let operand = try encode(.selfObject)
      return try keyPath(keys, of: operand)
    case .variable(let name, let keys):
      let variable = add(
        .expression("NSVariableExpression"),
        ["NSVariable": text(name), "NSExpressionType": 2])
      return keys.isEmpty ? variable : try keyPath(keys, of: variable)
    case .list(let items):
      let members = try items.map { item throws(Inexpressible) in try encode(item) }
      return add(
        .expression("NSAggregateExpression"),
        ["NSCollection": array(members, .array), "NSExpressionType": 14])
    case .function(PredicateFunction.valueForKeyPath.rawValue, let arguments):
      guard arguments.count == 2, case .keyPath(let keys) = arguments[1] else {
        throw Inexpressible()
      }
      return try keyPath(keys, of: encode(arguments[0]))
    case .function(let name, let arguments):
      return function(
        name, try arguments.map { argument throws(Inexpressible) in try encode(argument) })
    case .cast(let inner, let type):
      let arguments = [try encode(inner), constant(.string(type))]
      return function("castObject:toType:", arguments)
    case .subquery(let collection, let variable, let condition):
      let values: [String: PropertyListValue] = [
        "NSExpression": try encode(collection),
        "NSVariable": text(variable),
        "NSPredicate": try encode(condition), "NSExpressionType": 13,
      ]
      return add(.expression("NSSubqueryExpression"), values)
    case .ternary(let condition, let yes, let no):
      let values: [String: PropertyListValue] = [
        "NSPredicate": try encode(condition),
        "NSTrueExpression": try encode(yes),
        "NSFalseExpression": try encode(no), "NSExpressionType": 20,
      ]
      return add(.expression("NSTernaryExpression"), values)
    case .object, .element: throw Inexpressible()
    }
  }

  private mutating func constant(_ value: Value) -> PropertyListValue {
    add(
      .expression("NSConstantValueExpression"),
      ["NSConstantValue": add(value: value), "NSExpressionType": 0])
  }

  /// Adds a key path; throws for a key that contains a point, because the archive separates keys by
  /// points.
  private mutating func keyPath(_ keys: [String], of operand: PropertyListValue)
    throws(Inexpressible) -> PropertyListValue
  {
    guard !keys.isEmpty, keys.allSatisfy({ !$0.contains(".") && !$0.isEmpty }) else {
      throw Inexpressible()
    }
    let path = add(
      .expression("NSKeyPathSpecifierExpression"),
      ["NSKeyPath": text(keys.joined(separator: ".")), "NSExpressionType": 10])
    let selector = keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    let values: [String: PropertyListValue] = [
      "NSOperand": operand, "NSSelectorName": text(selector),
      "NSArguments": array([path]), "NSExpressionType": 3,
    ]
    return add(.expression("NSKeyPathExpression", below: "NSFunctionExpression"), values)
  }

  /// Adds a call of one of NSPredicate's built-in functions.
  private mutating func function(_ name: String, _ arguments: [PropertyListValue])
    -> PropertyListValue
  {
    let operand = add(
      .expression("NSConstantValueExpression"),
      [
        "NSConstantValueClassName": text("_NSPredicateUtilities"),
        "NSExpressionType": 0,
      ])
    let values: [String: PropertyListValue] = [
      "NSOperand": operand, "NSSelectorName": text(name),
      "NSArguments": array(arguments, .array), "NSExpressionType": 4,
    ]
    return add(.expression("NSFunctionExpression"), values)
  }
}

extension FetchPredicate.Operator {
  /// The class and the `NSOperatorType` of each operator.
  static let archived: [Self: (className: String, number: Int)] = [
    .less: ("NSComparisonPredicateOperator", 0), .lessOrEqual: ("NSComparisonPredicateOperator", 1),
    .greater: ("NSComparisonPredicateOperator", 2),
    .greaterOrEqual: ("NSComparisonPredicateOperator", 3),
    .equal: ("NSEqualityPredicateOperator", 4), .notEqual: ("NSEqualityPredicateOperator", 5),
    .matches: ("NSMatchingPredicateOperator", 6), .like: ("NSLikePredicateOperator", 7),
    .beginsWith: ("NSSubstringPredicateOperator", 8),
    .endsWith: ("NSSubstringPredicateOperator", 9), .in: ("NSInPredicateOperator", 10),
    .contains: ("NSInPredicateOperator", 99), .between: ("NSBetweenPredicateOperator", 100),
  ]
}
