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
}
