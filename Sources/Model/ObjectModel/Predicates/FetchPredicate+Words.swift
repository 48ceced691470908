extension FetchPredicate {
  /// Returns the predicate of a word search: every word is contained in some attribute, ignoring
  /// case and diacritics.
  ///
  /// A word with a digit is also looked for in the text of dates and numbers.
  ///
  /// - Parameters:
  ///   - text: Words separated by whitespace; double quotes group words to a phrase.
  ///   - entity: The entity to search.
  ///   - attributes: The names of the attributes to search, or key paths to texts of related
  ///     objects; nil for all text attributes.
  /// - Returns: The predicate: ``true`` if there are no words, ``false`` if there are no
  ///   attributes.
  package static func words(
    _ text: String, in entity: EntityDescription, attributes: [String]? = nil
  ) -> FetchPredicate {
    let names =
      attributes
      ?? entity.attributes.filter { [.string, .uri, .undefined].contains($0.type) }.map(\.name)
    return all(
      words(of: text).map { word in
        any(names.compactMap { contains(word, at: $0, in: entity) })
      })
  }

  /// The condition that a value contains a word; nil if no value of the attribute can.
  private static func contains(_ word: String, at name: String, in entity: EntityDescription)
    -> FetchPredicate?
  {
    let attribute = entity.attribute(named: name)
    let path = attribute == nil ? KeyPathText.components(of: name) ?? [name] : [name]
    var value = Expression.keyPath(path)
    switch attribute?.type {
    case nil, .string, .uri, .undefined: break
    case .binaryData, .transformable, .boolean: return nil
    case .date, .uuid, .integer16, .integer32, .integer64, .double, .float, .decimal:
      guard word.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
      value = .cast(value, "NSString")
    }
    return FetchPredicate(
      .comparison(.init(value, .contains, .constant(.string(word)), options: .cd)))
  }

  /// Splits a text into words and quoted phrases; a missing closing quote is assumed at the end.
  package static func words(of text: String) -> [String] {
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
