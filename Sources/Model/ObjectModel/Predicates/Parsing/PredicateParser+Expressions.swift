extension PredicateParser {
  /// Parses arithmetic and bit operators by precedence; all group from the left.
  mutating func arithmetic(_ level: Int, strength: Int = 1) throws(FetchPredicateError) -> Parsed {
    try checkNesting(level)
    var left = try negative(level)
    try checkRemainder(left, level)
    while case .symbol(let sign) = token.kind, let function = Self.infix[sign],
      let own = function.infix?.strength, own >= strength
    {
      let first = try expression(left)
      reachOperator(after: left)
      advance()
      let right = try arithmetic(level, strength: own + 1)
      left = try made(
        .expression(.function(function.rawValue, [first, try expression(right)])),
        depth: max(left.depth, right.depth) + 1, from: left.range.lowerBound)
      try checkRemainder(left, level)
    }
    return left
  }

  static let infix = Dictionary(
    uniqueKeysWithValues: PredicateFunction.allCases.compactMap { function in
      function.infix.map { ($0.sign, function) }
    })

  /// Parses a minus sign: part of a number literal, else a subtraction from 0.
  private mutating func negative(_ level: Int) throws(FetchPredicateError) -> Parsed {
    guard token.kind == .symbol("-") else { return try elements(of: try primary(level), level) }
    let start = token.range.lowerBound
    advance()
    if case .number(let digits) = token.kind, let value = PredicateNumber.value("-" + digits) {
      advance()
      return try elements(of: try literal(value, from: start), level)
    }
    try checkNesting(level + 1)
    let inner = try negative(level + 1)
    let zero = FetchPredicate.Expression.constant(.integer(0))
    note(zero, start..<start + 1)
    return try made(
      .expression(
        .function(PredicateFunction.subtract.rawValue, [zero, try expression(inner)])),
      depth: inner.depth + 1, from: start)
  }

  /// Parses the suffixes `.key` and `[element]` of an expression.
  private mutating func elements(
    of first: Parsed, _ level: Int
  ) throws(FetchPredicateError) -> Parsed {
    var parsed = first
    while true {
      let start = parsed.range.lowerBound
      if accept(".") {
        let keyStart = token.range.lowerBound
        let base = try expression(parsed)
        var keys = [try key(after: base)]
        while accept(".") {
          let path = base.following(keys, isGrouped: parsed.isGrouped)
          keys.append(try key(after: path))
        }
        let extended = base.following(keys, isGrouped: parsed.isGrouped)
        parsed = try made(.expression(extended), depth: parsed.depth + 1, from: start)
        switch extended {
        case .keyPath, .variable:
          forget(base)
          note(extended, parsed.range)
        case .function(PredicateFunction.valueForKeyPath.rawValue, _):
          note(.keyPath(keys), keyStart..<parsed.range.upperBound)
        default: break
        }
      } else if token.kind == .symbol("[") {
        let base = try expression(parsed)
        advance()
        let (element, depth) = try element(level + 1)
        try expect("]", "The element")
        parsed = try made(
          .expression(.element(base, element)), depth: max(parsed.depth, depth) + 1, from: start)
      } else {
        return parsed
      }
    }
  }

  private mutating func element(
    _ level: Int
  ) throws(FetchPredicateError) -> (FetchPredicate.Element, depth: Int) {
    reach(.index)
    let word = keyword
    if let word, ["FIRST", "LAST", "SIZE"].contains(word),
      tokens[min(position + 1, tokens.count - 1)].kind == .symbol("]")
    {
      advance()
      return (word == "FIRST" ? .first : word == "LAST" ? .last : .size, 1)
    }
    let index = try arithmetic(level)
    return (.index(try expression(index)), index.depth)
  }

  /// Parses a key after a point, where keywords are ordinary names.
  private mutating func key(
    after base: FetchPredicate.Expression
  ) throws(FetchPredicateError) -> String {
    reach(.component(of: base))
    switch token.kind {
    case .word(let name), .name(let name):
      advance()
      return name
    default:
      throw error("The key after the point is missing", expected: "a name")
    }
  }

  mutating func literal(_ value: Value, from start: Int) throws(FetchPredicateError) -> Parsed {
    try leaf(.constant(value), from: start)
  }

  mutating func leaf(
    _ expression: FetchPredicate.Expression, from start: Int
  ) throws(FetchPredicateError) -> Parsed {
    let parsed = try made(.expression(expression), depth: 1, from: start)
    if expression.isLeaf { note(expression, parsed.range) }
    if case .list(let items) = expression { for item in items { note(item, parsed.range) } }
    return parsed
  }

  mutating func note(_ expression: FetchPredicate.Expression, _ range: Range<Int>) {
    ranges[expression, default: []].append(range)
  }

  /// Removes the last range of an expression, which became a part of another.
  mutating func forget(_ expression: FetchPredicate.Expression) {
    _ = ranges[expression]?.popLast()
  }
}

extension FetchPredicate.Expression {
  /// Whether it contains no other expression; the ranges of such are noted one by one.
  var isLeaf: Bool {
    switch self {
    case .constant, .object, .keyPath, .variable, .selfObject: true
    case .list, .function, .subquery, .cast, .ternary, .element: false
    }
  }

  /// The expression with a key path after it.
  fileprivate func following(_ keys: [String], isGrouped: Bool) -> FetchPredicate.Expression {
    switch self {
    case .keyPath(let own) where !isGrouped: .keyPath(own + keys)
    case .variable(let name, let own) where !isGrouped: .variable(name, own + keys)
    case .selfObject where !isGrouped: .keyPath(keys)
    case .subquery where keys == [CollectionOperator.count.rawValue]:
      .function(PredicateFunction.count.rawValue, [self])
    default: .function(PredicateFunction.valueForKeyPath.rawValue, [self, .keyPath(keys)])
    }
  }
}
