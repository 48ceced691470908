/// Checks the key paths of a predicate against a model, and converts literals to the types of the
/// attributes they are compared with.
struct PredicateValidator {
  typealias Expression = FetchPredicate.Expression

  /// Which of the equal expressions of a predicate is meant, counted from 0 in the order of the
  /// text.
  struct Occurrence {
    let expression: Expression
    let index: Int
  }

  /// An expression that was checked.
  struct Checked {
    /// The expression, its literals converted.
    var expression: Expression
    /// What it evaluates to.
    let type: PredicateType
    /// The expression as it was written.
    let occurrence: Occurrence
    /// The members of a list; empty for anything else.
    var items: [Checked] = []
  }

  /// How often each expression was met so far.
  final class Counter {
    var counts: [Expression: Int] = [:]
  }

  let entity: EntityDescription
  let model: ManagedObjectModel
  /// The format, for the ranges of errors.
  let source: () -> FetchPredicate.Source
  let counter = Counter()
  var variables: [String: PredicateType] = [:]

  func error(
    _ message: String, at occurrence: Occurrence, expected: String = "", suggestions: [String] = []
  ) -> FetchPredicateError {
    let source = source()
    return FetchPredicateError(
      message, scalars: source.range(of: occurrence) ?? 0..<source.text.unicodeScalars.count,
      of: source.text, expected: expected, suggestions: suggestions)
  }

  func node(_ node: FetchPredicate.Node) throws(FetchPredicateError) -> FetchPredicate.Node {
    switch node {
    case .constant: return node
    case .and(let nodes): return .and(try nodes.map(self.node))
    case .or(let nodes): return .or(try nodes.map(self.node))
    case .not(let inner): return .not(try self.node(inner))
    case .comparison(let comparison): return .comparison(try self.comparison(comparison))
    }
  }

  private func comparison(
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> FetchPredicate.Comparison {
    let left = try expression(comparison.left)
    let right = try expression(comparison.right)
    try checkModifier(comparison, left, right)
    let isMembership =
      comparison.operation == .in && (right.type.isCollection || comparison.right.isList)
      || comparison.operation == .contains && comparison.modifier == .direct
        && (left.type.isCollection || comparison.left.isList)
    for (own, other) in [(left, comparison.right), (right, comparison.left)] {
      if !isMembership { try checkText(comparison.operation, own) }
      try checkObject(own, against: other)
    }
    var valid = comparison
    valid.right = try coerced(right, to: left.type.member)
    valid.left = try coerced(left, to: right.type.member)
    if comparison.operation == .matches, case .constant(.string(let pattern)) = valid.right,
      !Pattern.isExpression(pattern)
    {
      throw error("“\(pattern)” is not a regular expression", at: right.occurrence)
    }
    return valid
  }

  /// Requires ANY or ALL for a to-many relationship, unless the operator applies to collections.
  private func checkModifier(
    _ comparison: FetchPredicate.Comparison, _ left: Checked, _ right: Checked
  ) throws(FetchPredicateError) {
    if comparison.modifier == .direct {
      if left.type.isCollection, comparison.operation != .contains { throw toMany(left.occurrence) }
      if right.type.isCollection, comparison.operation != .in { throw toMany(right.occurrence) }
      return
    }
    switch left.type {
    case .attribute, .object, .value:
      throw error(
        "ANY and ALL require a to-many relationship, but “\(comparison.left.text)” is one value",
        at: left.occurrence)
    case .collection, .unknown: break
    }
    if right.type.isCollection, comparison.operation != .in { throw toMany(right.occurrence) }
  }

  private func toMany(_ occurrence: Occurrence) -> FetchPredicateError {
    error(
      "“\(occurrence.expression.text)” goes through a to-many relationship", at: occurrence,
      expected: "ANY or ALL before it, or .@count after it")
  }

  // MARK: Expressions

  /// The next occurrence of an expression; the parser notes ranges in the same order.
  private func occurrence(of expression: Expression) -> Occurrence {
    let index = counter.counts[expression, default: 0]
    counter.counts[expression] = index + 1
    return Occurrence(expression: expression, index: index)
  }

  func expression(_ expression: Expression) throws(FetchPredicateError) -> Checked {
    let occurrence = occurrence(of: expression)
    func checked(_ valid: Expression, _ type: PredicateType) -> Checked {
      Checked(expression: valid, type: type, occurrence: occurrence)
    }
    switch expression {
    case .constant, .object: return checked(expression, .unknown)
    case .selfObject: return checked(expression, .object(entity))
    case .keyPath(let keys):
      return checked(expression, try type(of: keys[...], from: .object(entity), at: occurrence))
    case .variable(let name, let keys):
      guard let type = variables[name] else { return checked(expression, .unknown) }
      return checked(expression, try self.type(of: keys[...], from: type, at: occurrence))
    case .list(let items):
      var list = checked(expression, .unknown)
      for item in items { list.items.append(try self.expression(item)) }
      list.expression = .list(list.items.map(\.expression))
      return list
    case .function(let name, let arguments):
      let (valid, type) = try function(name, arguments)
      return checked(valid, type)
    case .subquery(let collection, let variable, let node):
      let base = try self.expression(collection)
      var inner = self
      inner.variables[variable] = base.type.member
      return checked(
        .subquery(base.expression, variable: variable, try inner.node(node)), base.type.collected)
    case .cast(let inner, let type):
      return checked(.cast(try self.expression(inner).expression, type), .value)
    case .ternary(let node, let yes, let no):
      let test = try self.node(node)
      let (yes, no) = (try self.expression(yes), try self.expression(no))
      return checked(.ternary(test, yes.expression, no.expression), yes.type)
    case .element(let collection, let element):
      let base = try self.expression(collection)
      switch element {
      case .first, .last: return checked(.element(base.expression, element), base.type.member)
      case .size: return checked(.element(base.expression, element), .value)
      case .index(let index):
        let index = try self.expression(index).expression
        return checked(.element(base.expression, .index(index)), base.type.member)
      }
    }
  }

  private func function(
    _ name: String, _ arguments: [Expression]
  ) throws(FetchPredicateError) -> (Expression, PredicateType) {
    if name == PredicateFunction.valueForKeyPath.rawValue, arguments.count == 2,
      case .keyPath(let keys) = arguments[1]
    {
      let base = try expression(arguments[0])
      let result = try type(of: keys[...], from: base.type, at: occurrence(of: arguments[1]))
      return (.function(name, [base.expression, arguments[1]]), result)
    }
    var valid: [Expression] = []
    for argument in arguments {
      let next = try expression(argument)
      if next.type.isCollection, PredicateFunction(rawValue: name)?.isAggregate != true {
        throw error(
          "“\(argument.text)” goes through a to-many relationship", at: next.occurrence,
          expected: "one value, or a function such as sum")
      }
      valid.append(next.expression)
    }
    return (.function(name, valid), .value)
  }
}

extension FetchPredicate.Source {
  /// The range of an expression in Unicode scalars; nil if it has none of its own.
  fileprivate func range(of occurrence: PredicateValidator.Occurrence) -> Range<Int>? {
    guard let ranges = ranges[occurrence.expression], !ranges.isEmpty else { return nil }
    return ranges[min(occurrence.index, ranges.count - 1)]
  }
}

extension FetchPredicate {
  /// Checks the predicate against a model, and converts its literals to the types of the attributes
  /// they are compared with.
  ///
  /// Text is converted to a date, a number, a UUID or a boolean when it is compared with such an
  /// attribute, and a number to text when it is compared with a text attribute. A predicate that
  /// was validated for the entity before is returned at once.
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
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    if let validation, validation.entityName == entity.name, validation.model == model {
      return ValidatedPredicate(node: node, source: source, validation: validation)
    }
    let validator = PredicateValidator(
      entity: entity, model: model, source: { source ?? printedSource() })
    return ValidatedPredicate(
      node: try validator.node(node), source: source,
      validation: Validation(entityName: entity.name, model: model))
  }

  /// Does the same for the entity of a name.
  ///
  /// - Throws: ``FetchPredicateError`` also if there is no such entity.
  public func validated(
    forEntity name: String, in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    guard let entity = model.entity(named: name) else {
      let text = source?.text ?? description
      throw FetchPredicateError(
        "There is no entity “\(name)”", in: text, at: 0..<text.count,
        suggestions: NearestNames.suggestions(for: name, in: model.entities.map(\.name)))
    }
    return try validated(for: entity, in: model)
  }

  /// The source of a predicate built in code: its printed format, parsed for the ranges of keys and
  /// literals.
  private func printedSource() -> Source {
    let text = description
    return (try? FetchPredicate(format: text))?.source ?? Source(text: text, ranges: [:])
  }
}
