/// How far a parser has come in a text that is being typed, and so what may follow.
struct PredicateProgress {
  /// What may stand where the text ends.
  enum Position {
    /// A name, a function or a literal, which is compared with an expression unless that is nil; a
    /// condition can begin here too if `isStart`.
    case operand(isStart: Bool, comparedWith: FetchPredicate.Expression? = nil)
    /// A component of the key path after an expression.
    case component(of: FetchPredicate.Expression)
    /// An operator that compares an expression.
    case comparison(of: FetchPredicate.Expression)
    /// AND or OR.
    case conjunction
    /// An index of a relationship, in brackets.
    case index
    /// Options of an operator, in brackets.
    case options
  }

  /// What may stand at the end; nil for nothing that is known, such as a new variable.
  var position: Position?
  /// The variables of SUBQUERY, and the collections whose objects they stand for.
  var variables: [String: FetchPredicate.Expression] = [:]
  /// The token after the first left side of a comparison, and where that side begins.
  var firstOperator: (position: Int, start: Int)?
}

extension PredicateParser {
  /// Parses a text that is being typed, as far as that is possible: see ``progress``.
  init(unfinished text: String, _ tokens: [PredicateToken]) {
    let end = tokens.last?.range.upperBound ?? 0
    self.text = text
    self.tokens = tokens + [PredicateToken(kind: .end, range: end..<end)]
    arguments = []
    _ = try? parse()
  }

  /// Notes what may stand here, if the text ends here and nothing else was noted.
  mutating func reach(_ position: PredicateProgress.Position) {
    if token.kind == .end, progress.position == nil { progress.position = position }
  }

  /// Notes that the operator of a comparison may stand here, after its left side.
  mutating func reachOperator(after left: Parsed) {
    let start = left.range.lowerBound
    if let first = progress.firstOperator, first.start < start { return }
    progress.firstOperator = (position, start)
  }
}

/// What expressions lead to by the model, for what is typed after them.
struct PredicateEnds {
  let entity: EntityDescription
  let model: ManagedObjectModel
  let variables: [String: FetchPredicate.Expression]

  /// What an expression leads to.
  struct End {
    /// The entity of the objects; nil for values.
    var entity: EntityDescription?
    /// The attribute, and the entity that has it; nil for objects and whatever else.
    var attribute: (description: AttributeDescription, owner: EntityDescription)?
    /// Whether there are several objects.
    var isCollection = false
  }

  /// Finds what an expression leads to.
  func end(of expression: FetchPredicate.Expression) -> End {
    switch expression {
    case .selfObject: return End(entity: entity)
    case .keyPath(let keys): return following(keys, from: End(entity: entity))
    case .variable(let name, let keys):
      guard let collection = variables[name] else { return End() }
      return following(keys, from: End(entity: end(of: collection).entity))
    case .subquery(let collection, _, _):
      return End(entity: end(of: collection).entity, isCollection: true)
    case .element(let base, _): return End(entity: end(of: base).entity)
    case .function(PredicateFunction.valueForKeyPath.rawValue, let arguments):
      guard arguments.count == 2, case .keyPath(let keys) = arguments[1] else { return End() }
      return following(keys, from: end(of: arguments[0]))
    default: return End()
    }
  }

  private func following(_ keys: [String], from start: End) -> End {
    keys.reduce(start) { end, key in
      if let known = CollectionOperator(rawValue: key) {
        // The names of the objects follow all but the number.
        return known == .count ? End() : End(entity: end.entity)
      }
      guard let owner = end.entity else { return End() }
      if let relationship = owner.relationship(named: key) {
        return End(
          entity: model.entity(named: relationship.destinationEntityName),
          isCollection: end.isCollection || relationship.isToMany)
      }
      return End(attribute: owner.attribute(named: key).map { ($0, owner) })
    }
  }
}
