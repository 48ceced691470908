import ObjectModel

/// Turns archived predicates and expressions into conditions of ours, whose text is that of NSPredicate.
///
/// See core-data-stores 3.1 for the classes and their keys.
struct PredicateDecoder {
  typealias Node = FetchPredicate.Node
  typealias Expression = FetchPredicate.Expression

  /// What has no words in the language: a class, a function or an operator.
  struct Unreadable: Error { let what: String }

  private static let maximumDepth = 64
  /// Parts and characters of one condition; a longer one is left out, because parts can be shared without end.
  private var sizeLeft = 20_000
  private var budget: DecodingBudget

  /// A condition's text and what of a budget is left after it was read.
  ///
  /// - Parameters:
  ///   - object: An archived predicate.
  ///   - budget: What may be spent.
  /// - Returns: The text; nil when it cannot be put into words.
  /// - Throws: ``ModelFileError`` when the budget is spent.
  static func text(
    ofPredicate object: ArchivedObject, _ budget: inout DecodingBudget
  ) throws(ModelFileError) -> String? {
    try text(&budget) { decoder throws in
      FetchPredicate(try decoder.node(object, depth: 0)).description
    }
  }

  /// An expression's text; see ``text(ofPredicate:_:)``.
  static func text(
    ofExpression object: ArchivedObject, _ budget: inout DecodingBudget
  ) throws(ModelFileError) -> String? {
    try text(&budget) { decoder throws in try decoder.expression(object, depth: 0).text }
  }

  private static func text(
    _ budget: inout DecodingBudget, _ read: (inout PredicateDecoder) throws -> String
  ) throws(ModelFileError) -> String? {
    var decoder = PredicateDecoder(budget: budget)
    defer { budget = decoder.budget }
    do {
      return try read(&decoder)
    } catch let error as ModelFileError {
      throw error
    } catch {
      return nil
    }
  }

  private mutating func enter(_ object: ArchivedObject, depth: Int) throws {
    guard depth < Self.maximumDepth else { throw Unreadable(what: "a condition nested too deep") }
    try spend(1)
  }

  private mutating func spend(_ size: Int) throws {
    sizeLeft -= size
    guard sizeLeft >= 0 else { throw Unreadable(what: "a condition that is too long") }
    try budget.spend(size)
  }

  /// The condition of an archived predicate.
  private mutating func node(_ object: ArchivedObject, depth: Int) throws -> Node {
    try enter(object, depth: depth)
    switch object.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate":
      let parts = try budget.members(of: object["NSSubpredicates"]).map {
        try node($0, depth: depth + 1)
      }
      switch object["NSCompoundPredicateType"]?.integer ?? 0 {
      case 0 where parts.count == 1: return .not(parts[0])
      case 1: return .and(parts)
      case 2: return .or(parts)
      default: throw Unreadable(what: "a compound of another kind")
      }
    case "NSComparisonPredicate":
      guard let left = object["NSLeftExpression"], let right = object["NSRightExpression"],
        let sign = object["NSPredicateOperator"], let operation = Self.operation(of: sign)
      else { throw Unreadable(what: "a comparison without words") }
      let flags = (sign["NSOptions"] ?? sign["NSFlags"])?.integer ?? 0
      return .comparison(
        .init(
          try expression(left, depth: depth + 1), operation,
          try expression(right, depth: depth + 1),
          options: FetchPredicate.Options(rawValue: UInt8(truncatingIfNeeded: flags & 15)),
          modifier: Self.modifier(of: sign)))
    case let name: throw Unreadable(what: name ?? "no predicate")
    }
  }

  private static func operation(of sign: ArchivedObject) -> FetchPredicate.Operator? {
    switch sign["NSOperatorType"]?.integer {
    case 0: .less
    case 1: .lessOrEqual
    case 2: .greater
    case 3: .greaterOrEqual
    case 4: .equal
    case 5: .notEqual
    case 6: .matches
    case 7: .like
    case 8: .beginsWith
    case 9: .endsWith
    case 10: .in
    case 99: .contains
    case 100: .between
    default: nil
    }
  }

  private static func modifier(of sign: ArchivedObject) -> FetchPredicate.Modifier {
    switch sign["NSModifier"]?.integer {
    case 1: .all
    case 2: .any
    default: .direct
    }
  }

  /// The expression of an archived one.
  private mutating func expression(_ object: ArchivedObject, depth: Int) throws -> Expression {
    try enter(object, depth: depth)
    switch object.className {
    case "NSSelfExpression": return .selfObject
    case "NSConstantValueExpression": return try constant(object["NSConstantValue"], depth: depth)
    case "NSVariableExpression": return .variable(try name(object["NSVariable"]), [])
    case "NSKeyPathSpecifierExpression": return .keyPath(try keys(object))
    case "NSKeyPathExpression": return try keyPath(object, depth: depth)
    case "NSFunctionExpression": return try function(object, depth: depth)
    case "NSAggregateExpression":
      let items = try budget.members(of: object["NSCollection"])
      return .list(try items.map { try expression($0, depth: depth + 1) })
    case "NSSubqueryExpression":
      guard let collection = object["NSExpression"] ?? object["NSCollection"],
        let variable = object["NSVariable"] ?? object["NSVariableExpression"]?["NSVariable"],
        let condition = object["NSPredicate"] ?? object["NSSubpredicate"]
      else { throw Unreadable(what: "a subquery") }
      return .subquery(
        try expression(collection, depth: depth + 1), variable: try name(variable),
        try node(condition, depth: depth + 1))
    case "NSTernaryExpression":
      guard let condition = object["NSPredicate"], let yes = object["NSTrueExpression"],
        let no = object["NSFalseExpression"]
      else { throw Unreadable(what: "a choice") }
      return .ternary(
        try node(condition, depth: depth + 1), try expression(yes, depth: depth + 1),
        try expression(no, depth: depth + 1))
    case let name: throw Unreadable(what: name ?? "no expression")
    }
  }

  /// A name, its length counted.
  private mutating func name(_ object: ArchivedObject?) throws -> String {
    guard let text = object?.string else { throw Unreadable(what: "a name is missing") }
    try spend(text.utf8.count)
    return text
  }

  /// The keys of a key path that is given as text.
  private mutating func keys(_ object: ArchivedObject) throws -> [String] {
    let path = try name(object["NSKeyPath"] ?? object["NSConstantValue"])
    return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// A path of keys from the object itself, from a variable, or from what an expression gives.
  private mutating func keyPath(_ object: ArchivedObject, depth: Int) throws -> Expression {
    guard let argument = try budget.members(of: object["NSArguments"]).first else {
      throw Unreadable(what: "a key path without a path")
    }
    try enter(argument, depth: depth + 1)
    let keys = try keys(argument)
    guard let operand = object["NSOperand"] else { return .keyPath(keys) }
    switch try expression(operand, depth: depth + 1) {
    case .selfObject: return .keyPath(keys)
    case .variable(let name, let path): return .variable(name, path + keys)
    case let other:
      return .function(PredicateFunction.valueForKeyPath.rawValue, [other, .keyPath(keys)])
    }
  }

  private mutating func function(_ object: ArchivedObject, depth: Int) throws -> Expression {
    let selector = try name(object["NSSelectorName"])
    let isBuiltIn = object["NSOperand"]?["NSConstantValueClassName"] != nil
    guard isBuiltIn || object["NSOperand"] == nil else {
      throw Unreadable(what: "a function of an object: \(selector)")
    }
    let arguments = try budget.members(of: object["NSArguments"]).map {
      try expression($0, depth: depth + 1)
    }
    if selector == "castObject:toType:", arguments.count == 2,
      case .constant(.string(let type)) = arguments[1]
    {
      return .cast(arguments[0], type)
    }
    return .function(selector, arguments)
  }

  private mutating func constant(_ object: ArchivedObject?, depth: Int) throws -> Expression {
    guard let object else { return .constant(.null) }
    try enter(object, depth: depth)
    if object.isArray {
      let items = try budget.members(of: object)
      return .list(try items.map { try constant($0, depth: depth + 1) })
    }
    guard let value = object.plainValue else {
      throw Unreadable(what: object.className ?? "a constant of no kind")
    }
    switch value {
    case .string(let text): try spend(text.utf8.count)
    case .data(let bytes): try spend(bytes.count)
    default: break
    }
    return .constant(value)
  }
}
