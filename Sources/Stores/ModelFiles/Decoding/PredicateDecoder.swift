import ObjectModel

/// Decodes archived NSPredicate and NSExpression objects into text in NSPredicate's format language
/// (core-data-stores 3.1).
struct PredicateDecoder {
  typealias Node = FetchPredicate.Node
  typealias Expression = FetchPredicate.Expression

  /// A class, function or operator that the format language cannot express.
  struct Unreadable: Error { let what: String }

  private static let maximumDepth = 64
  /// Nodes and bytes left for one predicate; a larger one is left out, because archived objects can
  /// be shared any number of times.
  private var sizeLeft = 20_000
  private var budget: DecodingBudget
  /// Whether methods of values may be called, as in mapping models: functions whose first argument is
  /// the value.
  private var readsMethods = false

  init(budget: DecodingBudget) { self.budget = budget }

  /// Decodes an expression of a mapping model, within the budget.
  ///
  /// - Throws: ``ModelFileError`` that names what cannot be read, or when the budget is exceeded.
  static func mappingExpression(
    _ object: ArchivedObject, _ budget: inout DecodingBudget
  ) throws(ModelFileError) -> Expression {
    var decoder = PredicateDecoder(budget: budget)
    decoder.readsMethods = true
    defer { budget = decoder.budget }
    do {
      return try decoder.expression(object, depth: 0)
    } catch let error as ModelFileError {
      throw error
    } catch {
      let what = (error as? Unreadable)?.what ?? "\(error)"
      throw ModelFileError(.unsupported, detail: "an expression has \(what)")
    }
  }

  /// Decodes an archived predicate to its format, within the budget; nil if the language cannot
  /// express it.
  ///
  /// - Throws: ``ModelFileError`` when the budget is exceeded.
  static func text(
    ofPredicate object: ArchivedObject, _ budget: inout DecodingBudget
  ) throws(ModelFileError) -> String? {
    try text(&budget) { decoder throws in
      FetchPredicate(try decoder.node(object, depth: 0)).description
    }
  }

  /// Decodes an expression; see ``text(ofPredicate:_:)``.
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
    guard depth < Self.maximumDepth else { throw Unreadable(what: "a predicate nested too deeply") }
    try spend(1)
  }

  private mutating func spend(_ size: Int) throws {
    sizeLeft -= size
    guard sizeLeft >= 0 else { throw Unreadable(what: "a predicate that is too long") }
    try budget.spend(size)
  }

  /// Decodes a predicate object.
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
      default: throw Unreadable(what: "an unknown compound predicate")
      }
    case "NSComparisonPredicate":
      guard let left = object["NSLeftExpression"], let right = object["NSRightExpression"],
        let sign = object["NSPredicateOperator"], let operation = Self.operation(of: sign)
      else { throw Unreadable(what: "an unknown comparison") }
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
    sign["NSOperatorType"]?.integer.flatMap { number in
      FetchPredicate.Operator.archived.first { $0.value.number == number }?.key
    }
  }

  private static func modifier(of sign: ArchivedObject) -> FetchPredicate.Modifier {
    switch sign["NSModifier"]?.integer {
    case 1: .all
    case 2: .any
    default: .direct
    }
  }

  /// Decodes an expression object.
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
      else { throw Unreadable(what: "a ternary expression") }
      return .ternary(
        try node(condition, depth: depth + 1), try expression(yes, depth: depth + 1),
        try expression(no, depth: depth + 1))
    case let name: throw Unreadable(what: name ?? "no expression")
    }
  }

  /// The text of a name; its length is counted.
  private mutating func name(_ object: ArchivedObject?) throws -> String {
    guard let text = object?.string else { throw Unreadable(what: "a name is missing") }
    try spend(text.utf8.count)
    return text
  }

  /// The components of an archived key path.
  private mutating func keys(_ object: ArchivedObject) throws -> [String] {
    let path = try name(object["NSKeyPath"] ?? object["NSConstantValue"])
    return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// Decodes a key path of the object itself, of a variable, or of the value of an expression.
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
    guard isBuiltIn || object["NSOperand"] == nil || readsMethods else {
      throw Unreadable(what: "a method call: \(selector)")
    }
    var arguments = try budget.members(of: object["NSArguments"]).map {
      try expression($0, depth: depth + 1)
    }
    if readsMethods, !isBuiltIn, let value = object["NSOperand"] {
      arguments.insert(try expression(value, depth: depth + 1), at: 0)
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
      throw Unreadable(what: object.className ?? "an unknown constant")
    }
    switch value {
    case .string(let text): try spend(text.utf8.count)
    case .data(let bytes): try spend(bytes.count)
    default: break
    }
    return .constant(value)
  }
}
