/// Errors for what is written otherwise in SQL and in programming languages: each shows the text as
/// it is written here.
extension PredicateParser {
  /// The operators of other languages, in upper case, and those of this one.
  static let foreignOperators: [String: String] = [
    "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "STARTS": "BEGINSWITH",
    "BEGINS": "BEGINSWITH", "HASSUFFIX": "ENDSWITH", "ENDS": "ENDSWITH", "ILIKE": "LIKE[c]",
    "GLOB": "LIKE", "REGEXP": "MATCHES", "RLIKE": "MATCHES", "REGEX": "MATCHES", "HAS": "CONTAINS",
    "INCLUDES": "CONTAINS", "EQUALS": "==", "IS": "==", "EQ": "==", "NE": "!=", "LT": "<",
    "LE": "<=", "GT": ">", "GE": ">=", "=~": "MATCHES", "~": "MATCHES", "≠": "!=", "≤": "<=",
    "≥": ">=",
  ]

  /// The operators that are words, for the nearest names.
  static let nearOperators = PredicateWords.operators.flatMap(\.signs)
    .filter { $0.first?.isLetter == true }

  /// Refuses an operator of another language, or a misspelt one, after a left side.
  mutating func checkForeignOperator(after left: Parsed) throws(FetchPredicateError) {
    let first = token.range
    let name: String
    switch token.kind {
    case .word(let word): name = word.uppercased()
    case .symbol(let sign): name = sign
    default: return
    }
    if ["AND", "OR"].contains(name) { return }
    let value = written(left.range)
    let next = position + 1 < tokens.count ? tokens[position + 1] : token
    let nextWord: String? = if case .word(let word) = next.kind { word.uppercased() } else { nil }
    if name == "NOT" || name == "!", let nextWord, PredicateWords.operation[nextWord] != nil {
      throw error(
        "NOT stands before the whole comparison",
        at: left.range.lowerBound..<next.range.upperBound,
        expected: "NOT \(value) \(nextWord) …", suggestions: ["NOT \(value) \(nextWord)"])
    }
    guard var mended = Self.foreignOperators[name] else {
      guard name.count > 1, name.first?.isLetter == true, next.kind != .end,
        case let near = NearestNames.suggestions(for: name, in: Self.nearOperators),
        let best = near.first
      else { return }
      throw error(
        "“\(written(first))” is not an operator", at: first, expected: "\(value) \(best) …",
        suggestions: near)
    }
    var end = first.upperBound
    if name == "IS", nextWord == "NOT" {
      mended = "!="
      end = next.range.upperBound
    } else if nextWord == "WITH" || nextWord == "TO" {
      end = next.range.upperBound
    }
    advance()
    while token.range.upperBound <= end, token.kind != .end { advance() }
    let rest = token.kind == .end ? "…" : written(token.range)
    throw error(
      "“\(written(first.lowerBound..<end))” is not an operator", at: first.lowerBound..<end,
      expected: "\(value) \(mended) \(rest)", suggestions: [mended])
  }

  /// Refuses a list in parentheses or brackets after IN or BETWEEN.
  func checkForeignList(after operation: FetchPredicate.Operator) throws(FetchPredicateError) {
    let close: String
    switch token.kind {
    case .symbol("("): close = ")"
    case .symbol("["): close = "]"
    default: return
    }
    var level = 0
    var end = position
    var isList = false
    scan: while end < tokens.count - 1 {
      switch tokens[end].kind {
      case .symbol("("), .symbol("["), .symbol("{"): level += 1
      case .symbol(")"), .symbol("]"), .symbol("}"):
        level -= 1
        if level == 0 { break scan }
      case .symbol(",") where level == 1: isList = true
      case .symbol("+"), .symbol("-"), .symbol("*"), .symbol("/"), .symbol("."): break
      default: break
      }
      end += 1
    }
    guard tokens[end].kind == .symbol(close) else { return }
    // Without a comma: one literal in parentheses, or anything but options in brackets.
    if !isList, end == position + 2 {
      switch tokens[position + 1].kind {
      case .string, .number: isList = true
      default: break
      }
    }
    guard isList else { return }
    let range = token.range.lowerBound..<tokens[end].range.upperBound
    let inner = written(token.range.upperBound..<tokens[end].range.lowerBound)
    let mended = "{\(inner)}"
    throw error(
      "A list is written in braces", at: range, expected: mended, suggestions: [mended])
  }

  /// Refuses a remainder written `a % b`.
  mutating func checkRemainder(
    _ left: Parsed, _ level: Int
  ) throws(FetchPredicateError) {
    guard token.kind == .symbol("%") else { return }
    reachOperator(after: left)
    advance()
    let right = try primary(level)
    let mended = "modulus:by:(\(written(left.range)), \(written(right.range)))"
    throw error(
      "% is not an operator", at: left.range.lowerBound..<right.range.upperBound,
      expected: mended, suggestions: [mended])
  }

  /// Whether an expression is one name without quotes.
  private func isBareName(_ parsed: Parsed) -> Bool {
    guard case .expression(.keyPath(let keys)) = parsed.content else { return false }
    return keys.count == 1 && !parsed.isGrouped && !written(parsed.range).hasPrefix("`")
  }

  /// Refuses several words after an operator: text without quotes.
  func checkUnquoted(_ right: Parsed) throws(FetchPredicateError) {
    guard isBareName(right) else { return }
    var end = position
    words: while end < tokens.count {
      switch tokens[end].kind {
      case .word(let word):
        if PredicateWords.reserved.contains(word.uppercased()) { break words }
      case .number: break
      default: break words
      }
      end += 1
    }
    guard end > position else { return }
    let range = right.range.lowerBound..<tokens[end - 1].range.upperBound
    let mended = "'\(written(range))'"
    throw error(
      "Text is written in quotes", at: range, expected: mended, suggestions: [mended])
  }
}
