/// Evaluates a predicate for an object in memory.
struct PredicateEvaluator {
  let subject: any PredicateSubject
  var variables: [String: PredicateOperand]
  /// Calls a method of an object, as mapping models have them; nil if it is none.
  var method: ((String, [PredicateOperand]) throws -> PredicateOperand?)?

  func matches(_ node: FetchPredicate.Node) throws -> Bool {
    switch node {
    case .constant(let truth): truth
    case .and(let nodes): try nodes.allSatisfy(matches)
    case .or(let nodes): try nodes.contains(where: matches)
    case .not(let node): try !matches(node)
    case .comparison(let comparison): try matches(comparison)
    }
  }

  private func matches(_ comparison: FetchPredicate.Comparison) throws -> Bool {
    let left = try operand(comparison.left)
    let right = try operand(comparison.right)
    return switch comparison.modifier {
    case .direct: try comparison.holds(left, right)
    case .any: try left.members.contains { try comparison.holds($0, right) }
    case .all: try left.members.allSatisfy { try comparison.holds($0, right) }
    }
  }

  /// Evaluates an expression.
  func operand(_ expression: FetchPredicate.Expression) throws -> PredicateOperand {
    switch expression {
    case .constant(let value): .value(value)
    case .object(let id): .object(ObjectReference(objectID: id.permanent))
    case .keyPath(let keys): PredicateOperand.object(subject).operand(at: keys[...])
    case .variable(let name, let keys): try variable(name).operand(at: keys[...])
    case .selfObject: .object(subject)
    case .list(let items): .values(try items.map(operand))
    case .function(let name, let arguments): try call(name, arguments)
    case .subquery(let collection, let variable, let node):
      .values(
        try operand(collection).members.filter { member in
          var inner = self
          inner.variables[variable] = member
          return try inner.matches(node)
        })
    case .cast(let inner, let type):
      try PredicateCast(written: type).map { .value($0.value(try operand(inner).single)) }
        ?? .missing
    case .ternary(let node, let yes, let no): try operand(matches(node) ? yes : no)
    case .element(let collection, let element): try self.element(element, of: operand(collection))
    }
  }

  private func variable(_ name: String) throws(FetchPredicateError) -> PredicateOperand {
    guard let value = variables[name] else { throw .noValue(of: name) }
    return value
  }

  private func call(
    _ name: String, _ arguments: [FetchPredicate.Expression]
  ) throws -> PredicateOperand {
    if let method, PredicateFunction(rawValue: name) == nil,
      let result = try method(name, arguments.map(operand))
    {
      return result
    }
    guard let function = PredicateFunction(written: name), let first = arguments.first else {
      return PredicateFunction(written: name).map { .value($0.value([])) } ?? .missing
    }
    if function == .valueForKeyPath, arguments.count == 2, case .keyPath(let keys) = arguments[1] {
      return try operand(first).operand(at: keys[...])
    }
    if function.isAggregate {
      return .value(function.value(try operand(first).members.map(\.single)))
    }
    return .value(function.value(try arguments.map { try operand($0).single }))
  }

  private func element(
    _ element: FetchPredicate.Element, of collection: PredicateOperand
  ) throws -> PredicateOperand {
    let members = collection.members
    switch element {
    case .first: return members.first ?? .missing
    case .last: return members.last ?? .missing
    case .size: return .value(.integer(Int64(members.count)))
    case .index(let expression):
      guard case .integer(let index)? = try operand(expression).single.number,
        members.indices.contains(Int(index))
      else { return .missing }
      return members[Int(index)]
    }
  }
}

/// An object given by its ID alone: every key is missing.
private struct ObjectReference: PredicateSubject {
  let objectID: ObjectID

  func operand(forKey key: String) -> PredicateOperand { .missing }
}

extension FetchPredicate {
  /// Evaluates the predicate for an object.
  ///
  /// - Parameters:
  ///   - subject: The object.
  ///   - variables: The values of `$name`, by name.
  /// - Returns: Whether the predicate is true.
  /// - Throws: ``FetchPredicateError`` if a variable has no value, or MATCHES has an invalid regular
  ///   expression or gives up on a text.
  public func matches(
    _ subject: some PredicateSubject, variables: [String: PredicateOperand] = [:]
  ) throws -> Bool {
    try PredicateEvaluator(subject: subject, variables: variables).matches(node)
  }
}
