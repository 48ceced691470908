extension EntityDescription {
  /// The attribute that best identifies an object for a person; nil if there are no attributes.
  ///
  /// In this order: a text attribute named `name`, `title` or similar; one whose name contains such
  /// a word, `lastname` before `name`; the first text attribute; the first attribute. Primary and
  /// foreign keys are used only if there is nothing else.
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

  /// A name in lower case without underscores and spaces.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
