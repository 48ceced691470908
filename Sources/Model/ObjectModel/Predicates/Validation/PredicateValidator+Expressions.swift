/// The type and the checked form of expressions, and limits of what they nest.
extension PredicateValidator {
  /// The next occurrence of an expression; the parser notes ranges in the same order.
  func occurrence(of expression: Expression) -> Occurrence {
    let index = counter.counts[expression, default: 0]
    counter.counts[expression] = index + 1
    return Occurrence(expression: expression, index: index)
  }

  func expression(
    _ expression: Expression, isQuantified: Bool = false
  ) throws(FetchPredicateError) -> Checked {
    let occurrence = occurrence(of: expression)
    func checked(_ valid: Expression, _ type: PredicateType) -> Checked {
      Checked(expression: valid, type: type, occurrence: occurrence)
    }
    func checked(
      _ path: Path, _ valid: Expression, isOfSubquery: Bool = false
    ) throws(FetchPredicateError) -> Checked {
      var result = checked(valid, path.type)
      result.manyCount = path.manyCount
      result.manyEnds = path.manyEnds
      let isCalculation = path.keys.contains { $0.hasPrefix("@") }
      let ends = path.manyEnds.count + (isOfSubquery ? 1 : 0)
      let isNested =
        isCalculation
        ? path.isChain : isQuantified && ends == path.manyCount
      if path.manyCount > 1, !isNested {
        throw error(
          "“\(expression.text)” goes through several to-many relationships", at: occurrence,
          expected: "ANY or ALL before it, or a SUBQUERY")
      }
      try checkDepth(of: path, at: occurrence)
      return result
    }
    switch expression {
    case .constant(let value):
      return checked(expression, PredicateKind(value).map { .value($0, of: nil) } ?? .null)
    case .object(let id):
      let type = model.entity(named: id.entityName).map(PredicateType.object)
      return checked(expression, type ?? .value(.any, of: nil))
    case .selfObject: return checked(expression, .object(entity))
    case .keyPath(let keys):
      let path = try path(keys[...], from: .object(entity), at: occurrence.firstKey)
      return try checked(path, path.keys.isEmpty ? .selfObject : .keyPath(path.keys))
    case .variable(let name, let keys):
      guard let type = variables[name] else {
        let reason = FetchPredicateError.noValue(of: name)
        throw error(reason.message, at: occurrence, expected: reason.expected)
      }
      let path = try path(keys[...], from: type, at: occurrence.firstKey)
      return try checked(path, .variable(name, path.keys))
    case .list(let items):
      var list = checked(expression, .list)
      for item in items {
        let part = try self.expression(item)
        if part.type.isCollection || part.type.isList { throw oneValue(part) }
        list.parts.append(part)
      }
      list.expression = .list(list.parts.map(\.expression))
      return list
    case .function(let name, let arguments):
      if name == PredicateFunction.valueForKeyPath.rawValue, arguments.count == 2,
        case .keyPath(let keys) = arguments[1]
      {
        let base = try self.expression(arguments[0])
        let own = self.occurrence(of: arguments[1])
        let path = try path(keys[...], from: base.type, at: own.firstKey)
        guard let valid = base.expression.followed(by: path, from: base.type) else {
          throw error(
            "A key path cannot follow “\(base.text)”", at: own, expected: "a SUBQUERY")
        }
        var isOfSubquery = false
        if case .subquery = base.expression { isOfSubquery = true }
        return try checked(path, valid, isOfSubquery: isOfSubquery)
      }
      var valid: [Checked] = []
      for argument in arguments { valid.append(try self.expression(argument)) }
      let type = try typeOfCall(name, &valid, at: occurrence)
      return checked(.function(name, valid.map(\.expression)), type)
    case .subquery(let collection, let variable, let node):
      let base = try self.expression(collection)
      guard base.type.isCollection, base.manyCount == 1, let keys = base.keys,
        base.manyEnds == [keys.count]
      else {
        throw error("SUBQUERY needs a to-many relationship", at: base.occurrence)
      }
      var inner = self
      inner.variables[variable] = base.type.member
      inner.collectionDepth += 1
      try inner.checkCollectionDepth(at: occurrence)
      var result = checked(
        .subquery(base.expression, variable: variable, try inner.node(node)), base.type)
      result.manyCount = 1
      return result
    case .cast(let inner, let type):
      let value = try self.expression(inner)
      return checked(.cast(value.expression, type), try typeOfCast(value, to: type, at: occurrence))
    case .ternary(let node, let yes, let no):
      let test = try self.node(node)
      var result = checked(expression, .null)
      result.parts = [try self.expression(yes), try self.expression(no)]
      result.type = try unify(&result.parts, in: "TERNARY")
      result.expression = .ternary(test, result.parts[0].expression, result.parts[1].expression)
      return result
    case .element(let collection, let element):
      var base = try self.expression(collection)
      guard base.type.isCollection || base.type.isList else {
        throw error(
          "“\(base.text)” is one value, not a collection", at: base.occurrence,
          expected: "a to-many relationship or a list before the bracket")
      }
      let member =
        base.type.isList ? try unify(&base.parts, in: "a list") : base.type.member
      if base.type.isList { base.expression = .list(base.parts.map(\.expression)) }
      guard case .index(let index) = element else {
        let isSize = element == .size
        return checked(
          .element(base.expression, element), isSize ? .value(.number, of: nil) : member)
      }
      let position = try self.expression(index)
      guard position.type.kind == .number || position.isUnknown else {
        throw error(
          "An index must be a number, but “\(position.text)” is \(position.type.phrase)",
          at: position.occurrence)
      }
      return checked(.element(base.expression, .index(position.expression)), member)
    }
  }

  func oneValue(_ checked: Checked) -> FetchPredicateError {
    let isWhat = checked.type.isList ? "is a list" : "goes through a to-many relationship"
    return error(
      "“\(checked.text)” \(isWhat)", at: checked.occurrence,
      expected: "one value, or a function such as sum")
  }

  // MARK: Depth

  /// Refuses what SQLite could not join or nest.
  private func checkDepth(of path: Path, at occurrence: Occurrence) throws(FetchPredicateError) {
    var root = [""]
    if case .variable(let name, _) = occurrence.expression { root = [name] }
    for end in path.keys.indices.dropLast() { counter.toOnePaths.insert(root + path.keys[...end]) }
    if counter.toOnePaths.count > Self.maximumJoins {
      throw error(
        "The predicate follows more than \(Self.maximumJoins) relationships", at: occurrence)
    }
    if collectionDepth + path.manyCount > Self.maximumCollectionDepth {
      throw tooManyCollections(at: occurrence)
    }
  }

  private func checkCollectionDepth(at occurrence: Occurrence) throws(FetchPredicateError) {
    if collectionDepth > Self.maximumCollectionDepth { throw tooManyCollections(at: occurrence) }
  }

  private func tooManyCollections(at occurrence: Occurrence) -> FetchPredicateError {
    error(
      "More than \(Self.maximumCollectionDepth) to-many relationships are nested", at: occurrence)
  }
}
