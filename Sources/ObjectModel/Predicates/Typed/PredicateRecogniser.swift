/// Recognises a predicate by the names of an entity; see ``TypedPredicate/form(of:for:)``.
struct PredicateRecogniser {
  private let entity: EntityDescription
  private var tokens: ArraySlice<PredicateToken.Kind>

  init(_ text: String, entity: EntityDescription) {
    self.entity = entity
    tokens = PredicateLexer.tokensBeforeError(in: text).map(\.kind)[...]
  }

  mutating func isPredicate() -> Bool {
    skipPrefixes()
    guard let first = tokens.popFirst() else { return false }
    switch first {
    case .name(let name):
      return isProperty(name) && isOperatorNext()
    case .word(let word):
      let keyword = word.uppercased()
      if ["TRUEPREDICATE", "FALSEPREDICATE"].contains(keyword) { return true }
      if tokens.first == .symbol("("), Self.isFunction(word) { return hasOperator() }
      return (keyword == "SELF" || isProperty(word)) && isOperatorNext()
    case .number, .string, .variable, .argument, .symbol, .end: return false
    }
  }

  /// Drops quantifiers, NOT and opening parentheses.
  private mutating func skipPrefixes() {
    tokens = tokens.drop { token in
      switch token {
      case .word(let word): ["ANY", "SOME", "ALL", "NONE", "NOT"].contains(word.uppercased())
      case .symbol(let sign): sign == "!" || sign == "("
      default: false
      }
    }
  }

  /// Whether an operator follows the rest of a key path; after an arithmetic sign, a comparison
  /// must follow somewhere.
  private mutating func isOperatorNext() -> Bool {
    while tokens.first == .symbol(".") {
      tokens.removeFirst()
      _ = tokens.popFirst()
    }
    switch tokens.first {
    case .word(let word): return PredicateWords.operation[word.uppercased()] != nil
    case .symbol(let sign): return PredicateWords.operation[sign] != nil || hasOperator()
    default: return false
    }
  }

  /// Whether any of the tokens left is a comparison operator.
  private func hasOperator() -> Bool {
    tokens.contains { token in
      switch token {
      case .word(let word): PredicateWords.operation[word.uppercased()] != nil
      case .symbol(let sign): PredicateWords.operation[sign] != nil
      default: false
      }
    }
  }

  private func isProperty(_ name: String) -> Bool {
    let name = name.lowercased()
    return entity.attributes.contains { $0.name.lowercased() == name }
      || entity.relationships.contains { $0.name.lowercased() == name }
  }

  private static func isFunction(_ word: String) -> Bool {
    PredicateFunction(written: word) != nil
      || ["SUBQUERY", "CAST", "TERNARY", "FUNCTION"].contains(word.uppercased())
  }
}
