extension FetchPredicate {
  /// Returns the predicate of a word search: every word is contained in some text attribute,
  /// ignoring case and diacritics.
  ///
  /// - Parameters:
  ///   - text: Words separated by whitespace; double quotes group words to a phrase.
  ///   - entity: The entity to search.
  ///   - attributes: The names of the attributes to search; nil for all text attributes.
  /// - Returns: The predicate: ``true`` if there are no words, ``false`` if there are no
  ///   attributes.
  public static func words(
    _ text: String, in entity: EntityDescription, attributes: [String]? = nil
  ) -> FetchPredicate {
    let names =
      attributes
      ?? entity.attributes.filter { [.string, .uri, .undefined].contains($0.type) }.map(\.name)
    return all(
      words(of: text).map { word in
        any(
          names.map { name in
            FetchPredicate(
              .comparison(
                .init(.keyPath([name]), .contains, .constant(.string(word)), options: .cd)))
          })
      })
  }

  /// Splits a text into words and quoted phrases; a missing closing quote is assumed at the end.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in text {
      if character == "\"" || character.isWhitespace && !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
        if character == "\"" { isQuoted.toggle() }
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// Whether a typed text is probably a predicate, not words to search for.
  ///
  /// It is if it has a comparison sign with something before and after it, or an operator keyword
  /// followed by a token that a word search would not have (a quote, a list, options), or is
  /// TRUEPREDICATE or FALSEPREDICATE.
  ///
  /// - Parameter text: The typed text.
  /// - Returns: Whether to parse it as a predicate and report its errors.
  public static func looksLikePredicate(_ text: String) -> Bool {
    guard let tokens = try? PredicateLexer.tokens(of: text) else { return hasSign(text) }
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .symbol(let sign):
        let isComparison = PredicateWords.operation[sign] != nil || sign == "&&" || sign == "||"
        if isComparison, index > 0, tokens[index + 1].kind != .end { return true }
      case .word(let word):
        let upper = word.uppercased()
        if ["TRUEPREDICATE", "FALSEPREDICATE"].contains(upper) { return true }
        if PredicateWords.operation[upper] != nil, index > 0, isValue(tokens[index + 1].kind) {
          return true
        }
      default: break
      }
    }
    return false
  }

  private static func isValue(_ kind: PredicateToken.Kind) -> Bool {
    switch kind {
    case .string, .variable, .argument: true
    case .symbol(let sign): sign == "{" || sign == "["
    case .word, .name, .number, .end: false
    }
  }

  /// Whether a text that cannot be split into tokens has an operator within it.
  private static func hasSign(_ text: String) -> Bool {
    text.dropFirst().dropLast().contains { "=<>".contains($0) }
      || text.uppercased().split(separator: " ").dropFirst().dropLast().contains {
        PredicateWords.operation[String($0)] != nil
      }
  }
}
