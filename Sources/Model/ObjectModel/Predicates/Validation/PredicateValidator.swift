/// Checks a predicate against a model: its key paths exist, and what it compares can be equal.
///
/// Literals are converted to the kind of what they are compared with, and key paths are written as
/// evaluation needs them.
struct PredicateValidator {
  typealias Expression = FetchPredicate.Expression

  /// Which of the equal expressions of a predicate is meant, counted from 0 in the order of the
  /// text.
  struct Occurrence {
    let expression: Expression
    let index: Int
    /// The position of one key of a key path; nil for the whole expression.
    var key: Int?

    /// The same occurrence for the key after a number of keys; the whole one if this is.
    func key(after count: Int) -> Occurrence {
      var next = self
      next.key = key.map { $0 + count }
      return next
    }

    /// The first key of a key path.
    var firstKey: Occurrence {
      var first = self
      first.key = 0
      return first
    }

    /// The whole expression.
    var whole: Occurrence {
      var whole = self
      whole.key = nil
      return whole
    }
  }

  /// An expression that was checked.
  struct Checked {
    /// The expression as it is evaluated.
    var expression: Expression
    /// What it evaluates to.
    var type: PredicateType
    /// The expression as it was written.
    let occurrence: Occurrence
    /// The members of a list, or the two values of TERNARY; empty for anything else.
    var parts: [Checked] = []
    /// The number of to-many relationships that its key path goes through.
    var manyCount = 0
    /// The number of keys of its key path up to each to-many relationship.
    var manyEnds: [Int] = []

    /// The expression as it was written.
    var text: String { occurrence.expression.text }

    /// Whether it is a literal other than NULL.
    var isLiteral: Bool {
      if case .constant(let value) = expression { !value.isNull } else { false }
    }

    /// Whether nothing is known of its type.
    var isUnknown: Bool {
      if case .value(.any, _) = type { true } else { false }
    }
  }

  /// How often each expression was met so far, and how many joins its key paths need.
  final class Counter {
    var counts: [Expression: Int] = [:]
    var toOnePaths: Set<[String]> = []
  }

  let entity: EntityDescription
  let model: ManagedObjectModel
  /// The format, for the ranges of errors.
  let source: () -> FetchPredicate.Source
  let counter = Counter()
  var variables: [String: PredicateType] = [:]
  /// The number of SUBQUERYs and of to-many relationships around a condition.
  var collectionDepth = 0

  /// The greatest number of to-one relationships that a predicate follows: SQLite joins at most 64
  /// tables.
  static let maximumJoins = 50
  /// The greatest nesting of SUBQUERYs and to-many relationships, which SQLite's parser limits.
  static let maximumCollectionDepth = 6

  func error(
    _ message: String, at occurrence: Occurrence, expected: String = "", suggestions: [String] = []
  ) -> FetchPredicateError {
    let source = source()
    let range = source.range(of: occurrence)
    // Suggestions replace the range.
    return FetchPredicateError(
      message, scalars: range ?? 0..<source.text.unicodeScalars.count, of: source.text,
      expected: expected, suggestions: range == nil ? [] : suggestions)
  }

  // MARK: Conditions

  func node(_ node: FetchPredicate.Node) throws(FetchPredicateError) -> FetchPredicate.Node {
    switch node {
    case .constant: return node
    case .and(let nodes): return .and(try nodes.map(self.node))
    case .or(let nodes): return .or(try nodes.map(self.node))
    case .not(let inner): return .not(try self.node(inner))
    case .comparison(let comparison): return try self.comparison(comparison)
    }
  }

  private func comparison(
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> FetchPredicate.Node {
    // A key path through several to-many relationships is possible only after ANY and ALL.
    let left = try expression(comparison.left, isQuantified: comparison.modifier != .direct)
    let right = try right(comparison.right, of: left)
    try checkModifier(comparison, left, right)
    if let node = try composite(comparison, left, right) { return node }
    var valid = comparison
    let isMembership =
      comparison.operation == .in && (right.type.isCollection || right.type.isList)
      || comparison.operation == .contains && comparison.modifier == .direct
        && (left.type.isCollection || left.type.isList)
    switch comparison.operation {
    case .in where isMembership:
      (valid.left, valid.right) = try membership(left, right)
    case .contains where isMembership:
      (valid.right, valid.left) = try membership(right, left)
    case .between:
      (valid.left, valid.right) = try bounds(left, right)
    case .contains, .in, .beginsWith, .endsWith, .like, .matches:
      (valid.left, valid.right) = try texts(comparison.operation, left, right)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      (valid.left, valid.right) = try matched(left, right, comparison.operation)
    }
    if comparison.operation == .matches, case .constant(.string(let pattern)) = valid.right,
      !Pattern.isExpression(pattern)
    {
      throw error("“\(pattern)” is not a regular expression", at: right.occurrence)
    }
    return nested(valid, at: left.manyEnds)
  }

  /// ANY and ALL through several to-many relationships as a SUBQUERY of the first.
  ///
  /// Evaluation in memory could not distinguish a missing object from a missing value on the way.
  private func nested(
    _ comparison: FetchPredicate.Comparison, at manyEnds: [Int]
  ) -> FetchPredicate.Node {
    guard comparison.modifier != .direct else { return .comparison(comparison) }
    if let node = ofSubquery(comparison, at: manyEnds) { return node }
    guard manyEnds.count > 1,
      comparison.left.keyNames?.contains(where: { $0.hasPrefix("@") }) == false
    else { return .comparison(comparison) }
    let collection: Expression
    let rest: [String]
    switch comparison.left {
    case .keyPath(let keys):
      collection = .keyPath(Array(keys[..<manyEnds[0]]))
      rest = Array(keys[manyEnds[0]...])
    case .variable(let name, let keys):
      collection = .variable(name, Array(keys[..<manyEnds[0]]))
      rest = Array(keys[manyEnds[0]...])
    default: return .comparison(comparison)
    }
    let variable = "each\(collectionDepth + manyEnds.count)"
    var inner = comparison
    inner.left = .variable(variable, rest)
    let node = nested(inner, at: manyEnds.dropFirst().map { $0 - manyEnds[0] })
    return quantified(collection, variable, comparison.modifier, of: node)
  }

  /// ANY and ALL of a key path after a SUBQUERY as a condition in it; nil for anything else.
  private func ofSubquery(
    _ comparison: FetchPredicate.Comparison, at manyEnds: [Int]
  ) -> FetchPredicate.Node? {
    guard
      case .function(PredicateFunction.valueForKeyPath.rawValue, let arguments) = comparison.left,
      arguments.count == 2, case .keyPath(let keys) = arguments[1],
      case .subquery(let collection, let variable, let filter) = arguments[0],
      !keys.contains(where: { $0.hasPrefix("@") }), !comparison.right.mentions(variable)
    else { return nil }
    var inner = comparison
    inner.left = .variable(variable, keys)
    if manyEnds.isEmpty { inner.modifier = .direct }
    return quantified(
      collection, variable, comparison.modifier, of: nested(inner, at: manyEnds), where: filter)
  }

  /// Whether any object of a collection satisfies a condition, or all do.
  private func quantified(
    _ collection: Expression, _ variable: String, _ modifier: FetchPredicate.Modifier,
    of node: FetchPredicate.Node, where filter: FetchPredicate.Node? = nil
  ) -> FetchPredicate.Node {
    let isAny = modifier == .any
    let wanted = isAny ? node : .not(node)
    let count = Expression.function(
      PredicateFunction.count.rawValue,
      [.subquery(collection, variable: variable, filter.map { .and([$0, wanted]) } ?? wanted)])
    return .comparison(.init(count, isAny ? .greater : .equal, .constant(.integer(0))))
  }

  /// Checks the right side; an unknown name there may be text without quotes.
  private func right(
    _ expression: Expression, of left: Checked
  ) throws(FetchPredicateError) -> Checked {
    do {
      return try self.expression(expression)
    } catch {
      guard case .keyPath(let keys) = expression, keys.count == 1, error.suggestions.isEmpty,
        entity.attribute(named: keys[0]) == nil, left.type.member.kind == .text || left.isUnknown
      else { throw error }
      var error = error
      error.suggestions = ["'\(keys[0])'"]
      error.expected = "text in quotes: \(error.suggestions[0])"
      throw error
    }
  }

  /// Requires ANY or ALL for a to-many relationship, unless the operator applies to collections.
  private func checkModifier(
    _ comparison: FetchPredicate.Comparison, _ left: Checked, _ right: Checked
  ) throws(FetchPredicateError) {
    if right.type.isCollection, comparison.operation != .in { throw toMany(right) }
    if comparison.modifier == .direct {
      if left.type.isCollection, comparison.operation != .contains { throw toMany(left) }
    } else if !left.type.isCollection, !left.type.isList, !left.isUnknown {
      throw error(
        "ANY and ALL require a to-many relationship, but “\(left.text)” is one value",
        at: left.occurrence)
    }
  }

  func toMany(_ checked: Checked) -> FetchPredicateError {
    error(
      "“\(checked.text)” goes through a to-many relationship", at: checked.occurrence,
      expected: "ANY or ALL before it, or .@count after it")
  }

  /// The comparison of a composite attribute with NULL or with another one, leaf by leaf; nil for
  /// any other comparison.
  private func composite(
    _ comparison: FetchPredicate.Comparison, _ left: Checked, _ right: Checked
  ) throws(FetchPredicateError) -> FetchPredicate.Node? {
    let pair: (own: Checked, other: Checked)
    switch (left.type.member, right.type.member) {
    case (.composite, _): pair = (left, right)
    case (_, .composite): pair = (right, left)
    default: return nil
    }
    guard case .composite(let owner, let keys) = pair.own.type, comparison.modifier == .direct,
      comparison.operation == .equal || comparison.operation == .notEqual
    else {
      throw error(
        "“\(pair.own.text)” is a composite attribute", at: pair.own.occurrence,
        expected: "one of its attributes, or a comparison with == or != to NULL or to another one")
    }
    let prefix = (keys.last ?? "") + "."
    let leaves = owner.attributes.map(\.name).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
    func leaf(_ checked: Checked, _ name: String) -> Expression? {
      guard case .composite(_, var keys) = checked.type else { return nil }
      keys[keys.count - 1] += "." + name
      switch checked.expression {
      case .variable(let variable, _): return .variable(variable, keys)
      default: return .keyPath(keys)
      }
    }
    var nodes: [FetchPredicate.Node] = []
    for name in leaves {
      guard let own = leaf(pair.own, name) else { continue }
      let other: Expression
      switch pair.other.type {
      case .null: other = .constant(.null)
      case .composite(let otherOwner, let keys):
        guard let found = leaf(pair.other, name),
          otherOwner.attribute(named: (keys.last ?? "") + "." + name) != nil
        else { throw incomparable(pair.own, pair.other) }
        other = found
      default: throw incomparable(pair.own, pair.other)
      }
      nodes.append(.comparison(.init(own, comparison.operation, other)))
    }
    return comparison.operation == .equal ? .and(nodes) : .or(nodes)
  }
}

extension PredicateValidator.Checked {
  /// The keys of a key path; nil for anything else.
  var keys: [String]? { expression.keyNames }
}

extension FetchPredicate.Expression {
  /// The keys of a key path; nil for anything else.
  fileprivate var keyNames: [String]? {
    switch self {
    case .keyPath(let keys), .variable(_, let keys): keys
    default: nil
    }
  }
}

extension PredicateType {
  /// Whether this is a list.
  var isList: Bool { if case .list = self { true } else { false } }
}

extension FetchPredicate.Source {
  /// The range of an expression, or of one key of it, in Unicode scalars; nil if it has none of its
  /// own.
  fileprivate func range(of occurrence: PredicateValidator.Occurrence) -> Range<Int>? {
    guard let ranges = ranges[occurrence.expression], !ranges.isEmpty else { return nil }
    let whole = ranges[min(occurrence.index, ranges.count - 1)]
    guard let key = occurrence.key else { return whole }
    let written = String(
      String.UnicodeScalarView(text.unicodeScalars.dropFirst(whole.lowerBound).prefix(whole.count)))
    let names = PredicateLexer.tokensBeforeError(in: written).filter { token in
      switch token.kind {
      case .word, .name: true
      default: false
      }
    }
    let count: Int
    switch occurrence.expression {
    case .keyPath(let keys), .variable(_, let keys): count = keys.count
    default: count = names.count
    }
    let index = key + names.count - count
    guard names.count >= count, names.indices.contains(index) else { return whole }
    let range = names[index].range
    return whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound
  }
}
