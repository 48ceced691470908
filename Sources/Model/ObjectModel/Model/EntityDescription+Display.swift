extension EntityDescription {
  /// The attribute that best identifies an object for a person; nil if there are no attributes.
  ///
  /// In this order: a text attribute named `name`, `title` or similar; one whose name contains such
  /// a word, `lastname` before `name`; the first text attribute; an identifier; the first attribute.
  /// A title is a person's job if there is a last name, which goes before it then. Primary and
  /// foreign keys are used only if there is nothing else.
  package var displayAttributeName: String? {
    if let name = displayCandidates.first { return name }
    let keys = Set(keyAttributes + relationships.flatMap(\.foreignKeyAttributes))
    let text = attributes.first { $0.type == .string }
    return (text ?? attributes.first { !keys.contains($0.name) } ?? attributes.first)?.name
  }

  /// The text attributes that can identify an object for a person, the best first: as for
  /// ``displayAttributeName``, then the other texts, and identifiers and derived copies last.
  ///
  /// Empty if there is no text attribute but keys.
  package var displayCandidates: [String] {
    let keys = Set(keyAttributes + relationships.flatMap(\.foreignKeyAttributes))
    let texts = attributes.filter {
      ($0.type == .string || $0.type == .undefined) && !keys.contains($0.name)
    }
    let hasLastName = texts.contains { text in
      Self.isAny(of: Self.lastNames, in: Self.plain(text.name))
    }
    func rank(_ attribute: AttributeDescription) -> Int {
      let name = Self.plain(attribute.name)
      if attribute.type == .undefined { return Self.wholeNames.count + Self.nameParts.count }
      if hasLastName, name == "title" { return Self.wholeNames.count + Self.nameParts.count }
      if attribute.details.derivation != nil || Self.isAny(of: Self.copyParts, in: name) {
        return Self.wholeNames.count + Self.nameParts.count + 2
      }
      if Self.isAny(of: Self.identifierParts, in: name) {
        return Self.wholeNames.count + Self.nameParts.count + 1
      }
      if let place = Self.wholeNames.firstIndex(of: name) { return place }
      if let place = Self.nameParts.firstIndex(where: { Self.isAny(of: [$0], in: name) }) {
        return Self.wholeNames.count + place
      }
      return Self.wholeNames.count + Self.nameParts.count
    }
    return texts.enumerated().map { (rank: rank($1), place: $0, name: $1.name) }
      .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.name)
  }

  private static let copyParts = ["normalized", "normalised", "canonical", "searchable"]
  private static let identifierParts = [
    "uuid", "guid", "identifier", "hash", "token", "fingerprint", "checksum", "path", "url",
  ]
  private static let wholeNames = [
    "name", "title", "fullname", "displayname", "label", "caption", "subject", "heading",
  ]
  private static let nameParts = lastNames + ["name", "title"]
  private static let lastNames = ["lastname", "surname", "familyname"]

  /// A name in lower case without underscores and spaces.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Whether a name contains one of some parts.
  ///
  /// Byte by byte: `String.contains` is slow, and every list starts with this.
  private static func isAny(of parts: [String], in name: String) -> Bool {
    name.utf8.indices.contains { start in
      parts.contains { name.utf8[start...].starts(with: $0.utf8) }
    }
  }
}
