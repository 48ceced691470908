/// Parses the tokens of a predicate by recursive descent.
///
/// A parenthesis may contain a condition or an expression; which one is known when it is closed, so
/// nothing is parsed twice.
struct PredicateParser {
  /// The result of parsing: a condition or an expression.
  struct Parsed {
    enum Content {
      case condition(FetchPredicate.Node)
      case expression(FetchPredicate.Expression)
    }

    var content: Content
    /// The depth of the syntax tree.
    var depth: Int
    /// The range in the text, in Unicode scalars.
    var range: Range<Int>
    /// Whether it was in parentheses.
    var isGrouped = false
  }

  /// The maximum nesting of parentheses.
  static let maximumNesting = 100
  /// The maximum depth of the syntax tree, which a chain of operators increases without nesting.
  static let maximumDepth = 200

  let text: String
  let tokens: [PredicateToken]
  let arguments: [FetchPredicate.Expression]
  var position = 0
  var usedArguments = 0
  /// The ranges of all occurrences of each expression, in Unicode scalars.
  var ranges: [FetchPredicate.Expression: [Range<Int>]] = [:]
  /// How far it has come, for what is typed next.
  var progress = PredicateProgress()
  /// What the operand that is parsed is compared with; nil for nothing.
  var compared: FetchPredicate.Expression?

  init(
    _ text: String, arguments: [FetchPredicate.Expression], readsDates: Bool = false
  ) throws(FetchPredicateError) {
    self.text = text
    self.arguments = arguments
    tokens = try PredicateLexer.tokens(of: text, readsDates: readsDates)
  }

  /// Parses the whole text.
  mutating func parse() throws(FetchPredicateError) -> FetchPredicate.Node {
    if token.kind == .end {
      reach(.operand(isStart: true))
      throw error("The predicate is empty", expected: "a comparison such as name == \"x\"")
    }
    let whole = try disjunction(0)
    let node = try condition(whole)
    guard token.kind == .end else {
      throw error("\(shownToken) is not expected here", expected: "AND, OR or the end")
    }
    if usedArguments < arguments.count {
      throw error(
        "There are \(arguments.count) arguments, but the format uses \(usedArguments)")
    }
    return node
  }

  // MARK: Tokens

  var token: PredicateToken { tokens[position] }

  mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  /// The current token in upper case, if it is a name or a keyword; else nil.
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

  /// The text of the current token in quotes, for error messages.
  var shownToken: String { token.kind == .end ? "The end" : "“\(written(token.range))”" }

  /// A part of the text, given by a range of Unicode scalars.
  func written(_ range: Range<Int>) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)))
  }

  func checkNesting(_ level: Int) throws(FetchPredicateError) {
    if level > Self.maximumNesting {
      throw error("The predicate is nested too deeply (more than \(Self.maximumNesting) levels)")
    }
  }

  mutating func made(
    _ content: Parsed.Content, depth: Int, from start: Int
  ) throws(FetchPredicateError) -> Parsed {
    let end = position > 0 ? tokens[position - 1].range.upperBound : start
    let range = start..<max(start, end)
    if depth > Self.maximumDepth {
      throw error("The predicate is nested too deeply", at: range)
    }
    if case .expression(let expression) = content, !expression.isLeaf { note(expression, range) }
    return Parsed(content: content, depth: depth, range: range)
  }

  /// The parsed condition; throws if it is only an expression.
  func condition(_ parsed: Parsed) throws(FetchPredicateError) -> FetchPredicate.Node {
    switch parsed.content {
    case .condition(let node): return node
    case .expression:
      throw error(
        "The comparison after “\(written(parsed.range))” is missing",
        expected: "an operator such as == or CONTAINS")
    }
  }

  /// The parsed expression; throws if it is a condition.
  func expression(_ parsed: Parsed) throws(FetchPredicateError) -> FetchPredicate.Expression {
    switch parsed.content {
    case .expression(let expression): return expression
    case .condition:
      throw error(
        "“\(written(parsed.range))” is a condition, not a value", at: parsed.range,
        expected: "a value")
    }
  }
}
