import ObjectModel

/// Encodes predicates and expressions, given as text in NSPredicate's format language, as archived
/// objects (core-data-stores 3.1).
struct PredicateEncoder {
  typealias Node = FetchPredicate.Node
  typealias Expression = FetchPredicate.Expression

  /// The predicate or expression as text, for error messages.
  let text: String

  /// Adds a predicate to an archive.
  ///
  /// - Throws: ``ModelFileError`` when the text cannot be parsed, or the predicate cannot be
  ///   archived.
  static func encode(
    predicate text: String, into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> PropertyListValue {
    let encoder = PredicateEncoder(text: text)
    guard let predicate = PredicateText.predicate(text) else { throw encoder.failure() }
    return try encoder.encode(predicate.node, into: &writer)
  }

  /// Adds an expression to an archive; see ``encode(predicate:into:)``.
  static func encode(
    expression text: String, into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> PropertyListValue {
    let encoder = PredicateEncoder(text: text)
    guard let expression = PredicateText.expression(text) else { throw encoder.failure() }
    return try encoder.encode(expression, into: &writer)
  }

  private func failure() -> ModelFileError {
    ModelFileError(
      .unsupported, detail: "\(ModelNotes.quoted(text)) cannot be archived as an NSPredicate",
      remedy: "remove it from the model, or write it in NSPredicate's format")
  }

  private func encode(
    _ node: Node, into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> PropertyListValue {
    switch node {
    case .constant(let truth):
      return writer.add(.predicate(truth ? "NSTruePredicate" : "NSFalsePredicate"), [:])
    case .not(let inner): return try compound(0, [inner], into: &writer)
    case .and(let nodes): return try compound(1, nodes, into: &writer)
    case .or(let nodes): return try compound(2, nodes, into: &writer)
    case .comparison(let comparison):
      let left = try encode(comparison.left, into: &writer)
      let right = try encode(comparison.right, into: &writer)
      let sign = operation(of: comparison, into: &writer)
      return writer.add(
        .predicate("NSComparisonPredicate"),
        ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": sign])
    }
  }

  private func compound(
    _ type: Int64, _ nodes: [Node], into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> PropertyListValue {
    var parts: [PropertyListValue] = []
    for node in nodes { parts.append(try encode(node, into: &writer)) }
    let list = writer.array(parts, .array)
    return writer.add(
      .predicate("NSCompoundPredicate"),
      ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list])
  }

  private func operation(
    of comparison: FetchPredicate.Comparison, into writer: inout KeyedArchiveWriter
  ) -> PropertyListValue {
    let options = PropertyListValue.integer(Int64(comparison.options.rawValue))
    let modifier: Int64 =
      switch comparison.modifier {
      case .direct: 0
      case .all: 1
      case .any: 2
      }
    var values: [String: PropertyListValue] = ["NSModifier": .integer(modifier)]
    let (name, number) = Self.operators[comparison.operation] ?? ("NSPredicateOperator", 4)
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
    return writer.add(.predicateOperator(name), values)
  }

  /// The class and the `NSOperatorType` of each operator.
  static let operators: [FetchPredicate.Operator: (className: String, number: Int)] = [
    .less: ("NSComparisonPredicateOperator", 0), .lessOrEqual: ("NSComparisonPredicateOperator", 1),
    .greater: ("NSComparisonPredicateOperator", 2),
    .greaterOrEqual: ("NSComparisonPredicateOperator", 3),
    .equal: ("NSEqualityPredicateOperator", 4), .notEqual: ("NSEqualityPredicateOperator", 5),
    .matches: ("NSMatchingPredicateOperator", 6), .like: ("NSLikePredicateOperator", 7),
    .beginsWith: ("NSSubstringPredicateOperator", 8),
    .endsWith: ("NSSubstringPredicateOperator", 9), .in: ("NSInPredicateOperator", 10),
    .contains: ("NSInPredicateOperator", 99), .between: ("NSBetweenPredicateOperator", 100),
  ]

  private func encode(
    _ expression: Expression, into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> PropertyListValue {
    switch expression {
    case .constant(let value): return constant(value, into: &writer)
    case .selfObject: return writer.add(.expression("NSSelfExpression"), ["NSExpressionType": 1])
    case .keyPath(let keys):
      let operand = try encode(.selfObject, into: &writer)
      return try keyPath(keys, of: operand, into: &writer)
    case .variable(let name, let keys):
      let variable = writer.add(
        .expression("NSVariableExpression"),
        ["NSVariable": writer.text(name), "NSExpressionType": 2])
      return keys.isEmpty ? variable : try keyPath(keys, of: variable, into: &writer)
    case .list(let items):
      let list = writer.array(try encode(items, into: &writer), .array)
      return writer.add(
        .expression("NSAggregateExpression"), ["NSCollection": list, "NSExpressionType": 14])
    case .function(PredicateFunction.valueForKeyPath.rawValue, let arguments):
      guard arguments.count == 2, case .keyPath(let keys) = arguments[1] else { throw failure() }
      return try keyPath(keys, of: encode(arguments[0], into: &writer), into: &writer)
    case .function(let name, let arguments):
      return try function(name, encode(arguments, into: &writer), into: &writer)
    case .cast(let inner, let type):
      let arguments = [try encode(inner, into: &writer), constant(.string(type), into: &writer)]
      return function("castObject:toType:", arguments, into: &writer)
    case .subquery(let collection, let variable, let condition):
      let values: [String: PropertyListValue] = [
        "NSExpression": try encode(collection, into: &writer),
        "NSVariable": writer.text(variable),
        "NSPredicate": try encode(condition, into: &writer), "NSExpressionType": 13,
      ]
      return writer.add(.expression("NSSubqueryExpression"), values)
    case .ternary(let condition, let yes, let no):
      let values: [String: PropertyListValue] = [
        "NSPredicate": try encode(condition, into: &writer),
        "NSTrueExpression": try encode(yes, into: &writer),
        "NSFalseExpression": try encode(no, into: &writer), "NSExpressionType": 20,
      ]
      return writer.add(.expression("NSTernaryExpression"), values)
    case .object, .element: throw failure()
    }
  }

  private func encode(
    _ expressions: [Expression], into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> [PropertyListValue] {
    var uids: [PropertyListValue] = []
    for expression in expressions { uids.append(try encode(expression, into: &writer)) }
    return uids
  }

  private func constant(
    _ value: Value, into writer: inout KeyedArchiveWriter
  ) -> PropertyListValue {
    writer.add(
      .expression("NSConstantValueExpression"),
      ["NSConstantValue": writer.add(value: value), "NSExpressionType": 0])
  }

  /// Adds a key path; throws for a key that contains a point, because the archive separates keys by
  /// points.
  private func keyPath(
    _ keys: [String], of operand: PropertyListValue, into writer: inout KeyedArchiveWriter
  ) throws(ModelFileError) -> PropertyListValue {
    guard !keys.isEmpty, keys.allSatisfy({ !$0.contains(".") && !$0.isEmpty }) else {
      throw failure()
    }
    let path = writer.add(
      .expression("NSKeyPathSpecifierExpression"),
      ["NSKeyPath": writer.text(keys.joined(separator: ".")), "NSExpressionType": 10])
    let selector = keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    let values: [String: PropertyListValue] = [
      "NSOperand": operand, "NSSelectorName": writer.text(selector),
      "NSArguments": writer.array([path]), "NSExpressionType": 3,
    ]
    return writer.add(.expression("NSKeyPathExpression", below: "NSFunctionExpression"), values)
  }

  /// Adds a call of one of NSPredicate's built-in functions.
  private func function(
    _ name: String, _ arguments: [PropertyListValue], into writer: inout KeyedArchiveWriter
  ) -> PropertyListValue {
    let operand = writer.add(
      .expression("NSConstantValueExpression"),
      [
        "NSConstantValueClassName": writer.text("_NSPredicateUtilities"),
        "NSExpressionType": 0,
      ])
    let values: [String: PropertyListValue] = [
      "NSOperand": operand, "NSSelectorName": writer.text(name),
      "NSArguments": writer.array(arguments, .array), "NSExpressionType": 4,
    ]
    return writer.add(.expression("NSFunctionExpression"), values)
  }
}
