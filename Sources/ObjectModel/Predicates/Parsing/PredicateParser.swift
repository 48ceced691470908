/// Reads a predicate from its words.
///
/// A parenthesis may hold a condition or an expression; what it held is known when it closes, so nothing is read twice.
struct PredicateParser {
  /// What was read: a condition or an expression.
  struct Parsed {
    enum Content {
      case condition(FetchPredicate.Node)
      case expression(FetchPredicate.Expression)
    }

    var content: Content
    /// How deep the tree is.
    var depth: Int
    /// Where it stands, in Unicode scalars.
    var range: Range<Int>
    /// Whether it stood in parentheses.
    var isGrouped = false
  }

  /// How deep parentheses may be nested.
  static let deepestNesting = 100
  /// How deep a tree may be, which chains of arithmetic deepen without nesting.
  static let deepestTree = 200

  let text: String
  let tokens: [PredicateToken]
  let arguments: [FetchPredicate.Expression]
  var position = 0
  var usedArguments = 0
  /// Where keys and literals first stand, in Unicode scalars.
  var places: [FetchPredicate.Expression: Range<Int>] = [:]

  init(_ text: String, arguments: [FetchPredicate.Expression]) throws(FetchPredicateError) {
    self.text = text
    self.arguments = arguments
    tokens = try PredicateLexer.tokens(of: text)
  }

  /// Reads the whole text.
  mutating func parse() throws(FetchPredicateError) -> FetchPredicate.Node {
    if token.kind == .end {
      throw error("The predicate is empty", expected: "a comparison such as name == \"x\"")
    }
    let whole = try disjunction(0)
    let node = try condition(whole)
    guard token.kind == .end else {
      throw error("\(shownToken) cannot stand here", expected: "AND, OR or the end")
    }
    if usedArguments < arguments.count {
      throw error(
        "There are \(arguments.count) arguments, but the format uses \(usedArguments)")
    }
    return node
  }

  // MARK: Words

  var token: PredicateToken { tokens[position] }

  mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  /// The word in capitals; nil when the token is no keyword.
  var keyword: String? {
    if case .word(let word) = token.kind { word.uppercased() } else { nil }
  }

  mutating func accept(_ symbol: String) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func accept(keyword: String, or symbol: String) -> Bool {
    guard self.keyword == keyword || token.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String, _ context: String) throws(FetchPredicateError) {
    guard accept(symbol) else {
      throw error("\(context) is not finished", expected: "“\(symbol)”")
    }
  }

  // MARK: Errors

  func error(
    _ message: String, at range: Range<Int>? = nil, expected: String = "",
    suggestions: [String] = []
  ) -> FetchPredicateError {
    FetchPredicateError(
      message, scalars: range ?? token.range, of: text, expected: expected,
      suggestions: suggestions)
  }

  /// The token as it is written, in quotes, for a sentence.
  var shownToken: String { token.kind == .end ? "The end" : "“\(written(token.range))”" }

  /// A part of the text, as it is written.
  func written(_ range: Range<Int>) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)))
  }

  func checkNesting(_ level: Int) throws(FetchPredicateError) {
    if level > Self.deepestNesting {
      throw error("The predicate is nested too deeply (more than \(Self.deepestNesting) levels)")
    }
  }

  func made(
    _ content: Parsed.Content, depth: Int, from start: Int
  ) throws(FetchPredicateError) -> Parsed {
    let end = position > 0 ? tokens[position - 1].range.upperBound : start
    let range = start..<max(start, end)
    if depth > Self.deepestTree {
      throw error("The predicate is nested too deeply", at: range)
    }
    return Parsed(content: content, depth: depth, range: range)
  }

  /// The condition that was read; an error when it is only an expression.
  func condition(_ parsed: Parsed) throws(FetchPredicateError) -> FetchPredicate.Node {
    switch parsed.content {
    case .condition(let node): return node
    case .expression:
      throw error(
        "A comparison is missing after “\(written(parsed.range))”",
        expected: "an operator such as == or CONTAINS")
    }
  }

  /// The expression that was read; an error when it is a condition.
  func expression(_ parsed: Parsed) throws(FetchPredicateError) -> FetchPredicate.Expression {
    switch parsed.content {
    case .expression(let expression): return expression
    case .condition:
      throw error(
        "“\(written(parsed.range))” is a condition", at: parsed.range, expected: "a value")
    }
  }
}
