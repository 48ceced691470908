extension PredicateParser {
  mutating func primary(_ level: Int) throws(FetchPredicateError) -> Parsed {
    let start = token.range.lowerBound
    switch token.kind {
    case .string(let text):
      advance()
      return try literal(.string(text), from: start)
    case .number(let digits):
      guard let value = PredicateNumber.value(digits) else {
        throw error("\(shownToken) is not a number")
      }
      advance()
      return try literal(value, from: start)
    case .variable(let name):
      advance()
      return try leaf(.variable(name, []), from: start)
    case .name(let name):
      advance()
      return try leaf(.keyPath([name]), from: start)
    case .argument(let letters): return try argument(letters)
    case .word(let word): return try self.word(word, level)
    case .symbol("("): return try group(level)
    case .symbol("{"):
      advance()
      let (items, depth) = try list(until: "}", level, "The list")
      return try made(.expression(.list(items)), depth: depth + 1, from: start)
    case .symbol, .end:
      reach(.operand(isStart: false, comparedWith: compared))
      throw error(
        token.kind == .end ? "The predicate is incomplete" : "\(shownToken) is not expected here",
        expected: "a key or a value")
    }
  }

  private mutating func group(_ level: Int) throws(FetchPredicateError) -> Parsed {
    let start = token.range.lowerBound
    try checkNesting(level + 1)
    advance()
    var inner = try disjunction(level + 1)
    try expect(")", "The parenthesis")
    inner.range = start..<tokens[position - 1].range.upperBound
    inner.isGrouped = true
    return inner
  }

  mutating func list(
    until end: String, _ level: Int, _ context: String
  ) throws(FetchPredicateError) -> (items: [FetchPredicate.Expression], depth: Int) {
    try checkNesting(level + 1)
    var items: [FetchPredicate.Expression] = []
    var depth = 0
    if accept(end) { return (items, depth) }
    repeat {
      let item = try arithmetic(level + 1)
      items.append(try expression(item))
      depth = max(depth, item.depth)
    } while accept(",")
    guard accept(end) else {
      throw error("\(context) is not finished", expected: "“,” or “\(end)”")
    }
    return (items, depth)
  }

  private mutating func word(_ word: String, _ level: Int) throws(FetchPredicateError) -> Parsed {
    let start = token.range.lowerBound
    if tokens[min(position + 1, tokens.count - 1)].kind == .symbol("(") || word.contains(":"),
      !PredicateWords.reserved.contains(word.uppercased())
    {
      return try call(word, level)
    }
    let upper = word.uppercased()
    guard PredicateWords.reserved.contains(upper) else {
      advance()
      return try leaf(.keyPath([word]), from: start)
    }
    if let truth = ["TRUEPREDICATE": true, "FALSEPREDICATE": false][upper] {
      advance()
      return try made(.condition(.constant(truth)), depth: 1, from: start)
    }
    let value: FetchPredicate.Expression
    switch upper {
    case "TRUE", "YES": value = .constant(.bool(true))
    case "FALSE", "NO": value = .constant(.bool(false))
    case "NULL", "NIL": value = .constant(.null)
    case "SELF": value = .selfObject
    default:
      throw error(
        "“\(word)” is a keyword",
        expected: "a key or a value (a key of that name is written #\(word))")
    }
    advance()
    return try leaf(value, from: start)
  }

  private mutating func argument(_ letters: String) throws(FetchPredicateError) -> Parsed {
    let start = token.range.lowerBound
    guard usedArguments < arguments.count else {
      throw error("The argument for %\(letters) is missing")
    }
    let given = arguments[usedArguments]
    let value: FetchPredicate.Expression
    switch (letters, given) {
    case ("@", _): value = given
    case ("K", .constant(.string(let path))):
      guard let keys = KeyPathText.components(of: path) else {
        throw error("“\(path)” is not a key path")
      }
      value = .keyPath(keys)
    case ("K", .keyPath): value = given
    case ("K", _): throw error("%K requires a key path as text")
    case (_, .constant(let number)) where number.number != nil: value = given
    default: throw error("%\(letters) requires a number")
    }
    usedArguments += 1
    advance()
    return try leaf(value, from: start)
  }
}
