extension PredicateParser {
  mutating func disjunction(_ level: Int) throws(FetchPredicateError) -> Parsed {
    try junction("OR", "||", FetchPredicate.Node.or) { parser throws(FetchPredicateError) in
      try parser.junction("AND", "&&", FetchPredicate.Node.and) {
        parser throws(FetchPredicateError) in try parser.negation(level)
      }
    }
  }

  /// Parses operands between equal operators; returns a single operand as it is.
  private mutating func junction(
    _ keyword: String, _ symbol: String, _ join: ([FetchPredicate.Node]) -> FetchPredicate.Node,
    of operand: (inout PredicateParser) throws(FetchPredicateError) -> Parsed
  ) throws(FetchPredicateError) -> Parsed {
    let first = try operand(&self)
    var nodes: [FetchPredicate.Node] = []
    var depth = first.depth
    while accept(keyword: keyword, or: symbol) {
      if nodes.isEmpty { nodes.append(try condition(first)) }
      let next = try operand(&self)
      nodes.append(try condition(next))
      depth = max(depth, next.depth)
    }
    if nodes.isEmpty { return first }
    return try made(.condition(join(nodes)), depth: depth + 1, from: first.range.lowerBound)
  }

  private mutating func negation(_ level: Int) throws(FetchPredicateError) -> Parsed {
    let start = token.range.lowerBound
    var count = 0
    while accept(keyword: "NOT", or: "!") {
      count += 1
      try checkNesting(level + count)
    }
    let inner = try comparison(level)
    if count == 0 { return inner }
    var node = try condition(inner)
    for _ in 0..<count { node = .not(node) }
    return try made(.condition(node), depth: inner.depth + count, from: start)
  }

  private mutating func comparison(_ level: Int) throws(FetchPredicateError) -> Parsed {
    let start = token.range.lowerBound
    let quantifier = keyword.flatMap { ["ANY", "SOME", "ALL", "NONE"].contains($0) ? $0 : nil }
    if quantifier != nil { advance() }
    reach(.operand(isStart: true))
    let left = try arithmetic(level)
    if case .expression = left.content { reachOperator(after: left) }
    guard let operation = operation() else {
      switch left.content {
      case .condition: reach(.conjunction)
      case .expression(let value):
        reach(.comparison(of: value))
        try checkForeignOperator(after: left)
      }
      if let quantifier {
        throw error("\(quantifier) needs a comparison", expected: "an operator such as ==")
      }
      return left
    }
    let value = try expression(left)
    if operation == .in || operation == .between { try checkForeignList(after: operation) }
    let options = try options()
    let outer = compared
    compared = value
    let right = try arithmetic(level)
    compared = outer
    reach(.conjunction)
    let comparison = FetchPredicate.Comparison(
      value, operation, try expression(right), options: options,
      modifier: quantifier == nil ? .direct : quantifier == "ALL" ? .all : .any)
    if operation == .between { try checkBounds(comparison.right, right.range) }
    try checkUnquoted(right)
    let node = FetchPredicate.Node.comparison(comparison)
    return try made(
      .condition(quantifier == "NONE" ? .not(node) : node),
      depth: max(left.depth, right.depth) + 1, from: start)
  }

  private func checkBounds(
    _ bounds: FetchPredicate.Expression, _ range: Range<Int>
  ) throws(FetchPredicateError) {
    switch bounds {
    case .list(let items) where items.count != 2:
      throw error(
        "BETWEEN takes two bounds, not \(items.count)", at: range, expected: "{low, high}")
    case .constant:
      guard keyword == "AND", position + 1 < tokens.count else {
        throw error("BETWEEN takes two bounds", at: range, expected: "{low, high}")
      }
      let high = tokens[position + 1].range
      let mended = "{\(written(range)), \(written(high))}"
      throw error(
        "BETWEEN takes its bounds in braces", at: range.lowerBound..<high.upperBound,
        expected: mended, suggestions: [mended])
    default: break
    }
  }

  private mutating func operation() -> FetchPredicate.Operator? {
    let sign: String?
    switch token.kind {
    case .symbol(let symbol): sign = symbol
    default: sign = keyword
    }
    guard let operation = sign.flatMap({ PredicateWords.operation[$0] }) else { return nil }
    advance()
    return operation
  }

  /// Parses the comparison options in brackets after an operator.
  private mutating func options() throws(FetchPredicateError) -> FetchPredicate.Options {
    guard accept("[") else { return [] }
    reach(.options)
    guard case .word(let letters) = token.kind else {
      throw error("\(shownToken) is not an option", expected: "c, d, n or l")
    }
    var options: FetchPredicate.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.c)
      case "d": options.insert(.d)
      case "n": options.insert(.n)
      case "l": options.insert(.l)
      default: throw error("“\(letter)” is not an option", expected: "c, d, n or l")
      }
    }
    advance()
    try expect("]", "The list of options")
    return options
  }
}
