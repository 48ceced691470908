extension EntityDescription {
  /// The attribute that tells objects apart for a person; nil when there are no attributes.
  ///
  /// It is one called name or title or the like, else a text attribute with such a word in its name (a last name before a
  /// first name), else the first text attribute, else the first attribute. Attributes of keys come last.
  public var displayAttributeName: String? {
    let keys = Set(keyAttributes + relationships.flatMap(\.foreignKeyAttributes))
    let free = attributes.filter { !keys.contains($0.name) }
    let texts = free.filter { $0.type == .string }
    for wanted in Self.wholeNames {
      if let found = texts.first(where: { Self.plain($0.name) == wanted }) { return found.name }
    }
    for part in Self.nameParts {
      if let found = texts.first(where: { Self.plain($0.name).contains(part) }) {
        return found.name
      }
    }
    return
      (texts.first ?? attributes.first { $0.type == .string } ?? free.first ?? attributes.first)?
      .name
  }

  private static let wholeNames = [
    "name", "title", "fullname", "displayname", "label", "caption", "subject", "heading",
  ]
  private static let nameParts = ["lastname", "surname", "familyname", "name", "title"]

  /// A name in lower case without `_` and blanks.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
