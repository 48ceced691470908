/// Checks the key paths of a predicate against a model, and converts literals to the types of the
/// attributes they are compared with.
struct PredicateValidator {
  typealias Expression = FetchPredicate.Expression

  let entity: EntityDescription
  let model: ManagedObjectModel
  let source: FetchPredicate.Source
  var variables: [String: PredicateType] = [:]

  func error(
    _ message: String, at expression: Expression, expected: String = "",
    suggestions: [String] = []
  ) -> FetchPredicateError {
    FetchPredicateError(
      message, scalars: source.places[expression] ?? 0..<source.text.unicodeScalars.count,
      of: source.text, expected: expected, suggestions: suggestions)
  }

  func node(_ node: FetchPredicate.Node) throws(FetchPredicateError) -> FetchPredicate.Node {
    switch node {
    case .constant: return node
    case .and(let nodes): return .and(try self.nodes(nodes))
    case .or(let nodes): return .or(try self.nodes(nodes))
    case .not(let inner): return .not(try self.node(inner))
    case .comparison(let comparison): return .comparison(try self.comparison(comparison))
    }
  }

  private func nodes(
    _ nodes: [FetchPredicate.Node]
  ) throws(FetchPredicateError) -> [FetchPredicate.Node] {
    var valid: [FetchPredicate.Node] = []
    for node in nodes { valid.append(try self.node(node)) }
    return valid
  }

  private func comparison(
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> FetchPredicate.Comparison {
    var valid = comparison
    let left: PredicateType
    let right: PredicateType
    (valid.left, left) = try expression(comparison.left)
    (valid.right, right) = try expression(comparison.right)
    try checkModifier(comparison, left, right)
    let isMembership =
      comparison.operation == .in && (right.isCollection || comparison.right.isList)
      || comparison.operation == .contains && comparison.modifier == .direct
        && (left.isCollection || comparison.left.isList)
    for (type, own, other) in [
      (left, comparison.left, comparison.right), (right, comparison.right, comparison.left),
    ] {
      if !isMembership { try checkText(comparison.operation, type.member, own) }
      try checkObject(type.member, own, against: other)
    }
    valid.right = try coerced(valid.right, to: left.member)
    valid.left = try coerced(valid.left, to: right.member)
    if comparison.operation == .matches, case .constant(.string(let pattern)) = valid.right,
      !Pattern.isExpression(pattern)
    {
      throw error("“\(pattern)” is not a regular expression", at: comparison.right)
    }
    return valid
  }

  /// Requires ANY or ALL for a to-many relationship, unless the operator applies to collections.
  private func checkModifier(
    _ comparison: FetchPredicate.Comparison, _ left: PredicateType, _ right: PredicateType
  ) throws(FetchPredicateError) {
    if comparison.modifier == .direct {
      if left.isCollection, comparison.operation != .contains {
        throw toMany(comparison.left)
      }
      if right.isCollection, comparison.operation != .in {
        throw toMany(comparison.right)
      }
      return
    }
    switch left {
    case .attribute, .object, .value:
      throw error(
        "ANY and ALL require a to-many relationship, but “\(comparison.left.text)” is one value",
        at: comparison.left)
    case .collection, .unknown: break
    }
    if right.isCollection, comparison.operation != .in { throw toMany(comparison.right) }
  }

  private func toMany(_ expression: Expression) -> FetchPredicateError {
    error(
      "“\(expression.text)” goes through a to-many relationship", at: expression,
      expected: "ANY or ALL before it, or .@count after it")
  }

  func expression(
    _ expression: Expression
  ) throws(FetchPredicateError) -> (Expression, PredicateType) {
    switch expression {
    case .constant, .object: return (expression, .unknown)
    case .selfObject: return (expression, .object(entity))
    case .keyPath(let keys):
      return (expression, try type(of: keys[...], from: .object(entity), at: expression))
    case .variable(let name, let keys):
      guard let type = variables[name] else { return (expression, .unknown) }
      return (expression, try self.type(of: keys[...], from: type, at: expression))
    case .list(let items): return (.list(try expressions(items)), .unknown)
    case .function(let name, let arguments): return try function(name, arguments)
    case .subquery(let collection, let variable, let node):
      let (valid, type) = try self.expression(collection)
      var inner = self
      inner.variables[variable] = type.member
      return (.subquery(valid, variable: variable, try inner.node(node)), type.collected)
    case .cast(let inner, let type): return (.cast(try self.expression(inner).0, type), .value)
    case .ternary(let node, let yes, let no):
      let (validYes, type) = try self.expression(yes)
      return (.ternary(try self.node(node), validYes, try self.expression(no).0), type)
    case .element(let collection, let element):
      let (valid, type) = try self.expression(collection)
      switch element {
      case .first, .last: return (.element(valid, element), type.member)
      case .size: return (.element(valid, element), .value)
      case .index(let index):
        return (.element(valid, .index(try self.expression(index).0)), type.member)
      }
    }
  }

  private func expressions(_ items: [Expression]) throws(FetchPredicateError) -> [Expression] {
    var valid: [Expression] = []
    for item in items { valid.append(try expression(item).0) }
    return valid
  }

  private func function(
    _ name: String, _ arguments: [Expression]
  ) throws(FetchPredicateError) -> (Expression, PredicateType) {
    if name == PredicateFunction.valueForKeyPath.rawValue, arguments.count == 2,
      case .keyPath(let keys) = arguments[1]
    {
      let (base, type) = try expression(arguments[0])
      let result = try self.type(of: keys[...], from: type, at: arguments[1])
      return (.function(name, [base, arguments[1]]), result)
    }
    var valid: [Expression] = []
    for argument in arguments {
      let (next, type) = try expression(argument)
      if type.isCollection, PredicateFunction(rawValue: name)?.isAggregate != true {
        throw error(
          "“\(argument.text)” goes through a to-many relationship", at: argument,
          expected: "one value, or a function such as sum")
      }
      valid.append(next)
    }
    return (.function(name, valid), .value)
  }
}

extension FetchPredicate {
  /// Checks the predicate against a model, and converts its literals to the types of the attributes
  /// they are compared with.
  ///
  /// Text is converted to a date, a number, a UUID or a boolean when it is compared with such an
  /// attribute, and a number to text when it is compared with a text attribute.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects that the predicate is evaluated for.
  ///   - model: The model with the entity and the destinations of its relationships.
  /// - Returns: The valid predicate, to be evaluated in memory or translated to SQL.
  /// - Throws: ``FetchPredicateError`` for an unknown key (with the nearest names), a to-many
  ///   relationship without ANY or ALL, a literal that the attribute can never equal, or an invalid
  ///   regular expression.
  public func validated(
    for entity: EntityDescription, in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> FetchPredicate {
    let source = source ?? printedSource()
    let validator = PredicateValidator(entity: entity, model: model, source: source)
    return FetchPredicate(try validator.node(node), source: source)
  }

  /// The source of a predicate built in code: its printed format, parsed for the ranges of keys and
  /// literals.
  private func printedSource() -> Source {
    let text = description
    return (try? FetchPredicate(format: text))?.source ?? Source(text: text, places: [:])
  }
}
