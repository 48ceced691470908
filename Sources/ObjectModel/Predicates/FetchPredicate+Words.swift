extension FetchPredicate {
  /// The condition that every word of a text is found in some text attribute, whatever its case and accents.
  ///
  /// - Parameters:
  ///   - text: Words set apart by blanks; double quotes keep words together.
  ///   - entity: The entity.
  ///   - attributes: Where to look; nil for all attributes of text.
  /// - Returns: The condition: ``true`` when there are no words, ``false`` when there is nowhere to look.
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

  /// The words of a text; those in double quotes stay together.
  ///
  /// A quote that is not closed reaches to the end.
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

  /// Whether a text is meant as a predicate rather than as words to look for.
  ///
  /// It is when it has a comparison sign with something before and after it, or an operator in words followed by what a
  /// word search would not have (a quote, a list, options), or is a constant condition.
  ///
  /// - Parameter text: What was typed.
  /// - Returns: Whether it should be read as a predicate, so that its errors are shown.
  public static func looksLikePredicate(_ text: String) -> Bool {
    guard let tokens = try? PredicateLexer.tokens(of: text) else { return hasSign(text) }
    for (place, token) in tokens.enumerated() {
      switch token.kind {
      case .symbol(let sign):
        let isComparison = PredicateWords.operation[sign] != nil || sign == "&&" || sign == "||"
        if isComparison, place > 0, tokens[place + 1].kind != .end { return true }
      case .word(let word):
        let upper = word.uppercased()
        if ["TRUEPREDICATE", "FALSEPREDICATE"].contains(upper) { return true }
        if PredicateWords.operation[upper] != nil, place > 0, isValue(tokens[place + 1].kind) {
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

  /// Whether a text that cannot even be cut into words has a comparison sign within it.
  private static func hasSign(_ text: String) -> Bool {
    text.dropFirst().dropLast().contains { "=<>".contains($0) }
      || text.uppercased().split(separator: " ").dropFirst().dropLast().contains {
        PredicateWords.operation[String($0)] != nil
      }
  }
}
