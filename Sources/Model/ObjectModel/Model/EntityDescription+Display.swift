extension EntityDescription {
  /// The attribute that best identifies an object for a person; nil if there are no attributes.
  ///
  /// In this order: a text attribute named `name`, `title` or similar; one whose name contains such
  /// a word, `lastname` before `name`; the first text attribute; a side fact such as an address; an
  /// identifier; the first attribute that is no bytes. A title is a person's job if there is a last
  /// name, which goes before it then. Primary and foreign keys are used only if there is nothing
  /// else.
  package var displayAttributeName: String? {
    if let name = displayCandidates.first { return name }
    let keys = Set(keyAttributes + relationships.flatMap(\.foreignKeyAttributes))
    let readable = attributes.filter { ![.binaryData, .transformable].contains($0.type) }
    let text = readable.first { $0.type == .string }
    return (text ?? readable.first { !keys.contains($0.name) } ?? readable.first)?.name
  }

  /// What the name of a text attribute says about its values, the best title first.
  package enum TitleRole: Int, Comparable, Sendable {
    /// It is a name, a title or the like.
    case name
    /// Its name contains such a word: it can be the name of something else, as `shipName`.
    case nameOfSomething
    /// Nothing is known.
    case unknown
    /// A fact beside the object's name that many objects share: address, phone, state, kind.
    case sideFact
    /// It is an identifier, a path or a web address.
    case identifier
    /// It is a copy of another attribute.
    case copy

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// What the name of a text attribute says about its values.
  package static func titleRole(of attribute: AttributeDescription) -> TitleRole {
    let name = plain(attribute.name)
    if attribute.details.derivation != nil || isAny(of: copyParts, in: name) { return .copy }
    if isAny(of: identifierParts, in: name) { return .identifier }
    if wholeNames.contains(name) || isAny(of: fullNames + lastNames, in: name) { return .name }
    if isAny(of: sideParts, in: name) || sideNames.contains(where: name.hasSuffix) {
      return .sideFact
    }
    return isAny(of: nameParts, in: name) ? .nameOfSomething : .unknown
  }

  /// Whether a text is the name of a party to the entity's objects, as `shipName` of an order, and not
  /// their own; that of a customer is its own.
  package func isNameOfParty(_ text: AttributeDescription) -> Bool {
    let name = Self.plain(text.name)
    let parties = Self.partyParts.filter { Self.isAny(of: [$0], in: name) }
    return Self.titleRole(of: text) == .nameOfSomething && !parties.isEmpty
      && !Self.isAny(of: parties, in: Self.plain(self.name))
  }

  /// Whether a date is that of writing the object, by its name, and not when it was.
  package static func isHousekeeping(_ date: AttributeDescription) -> Bool {
    isAny(of: housekeepingParts, in: plain(date.name))
  }

  private static let housekeepingParts = [
    "modif", "updat", "changed", "edited", "sync", "import", "export", "fetch", "expir", "access",
    "deliver", "reported", "checked", "upload", "enterdate", "enteredat",
  ]

  /// Whether attributes are the last and the first name of a person.
  package static func isFirstName(_ first: String, of last: String) -> Bool {
    isAny(of: lastNames, in: plain(last)) && isAny(of: firstNames, in: plain(first))
  }

  /// The text attributes that can identify an object for a person, the best first: as for
  /// ``displayAttributeName``, then the other texts, side facts, identifiers and derived copies.
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
    /// The role, and among names the index of the best word.
    func rank(_ attribute: AttributeDescription) -> (role: TitleRole, word: Int) {
      let name = Self.plain(attribute.name)
      let role = attribute.type == .undefined ? .unknown : Self.titleRole(of: attribute)
      guard role <= .nameOfSomething else { return (role, 0) }
      if hasLastName, name == "title" { return (.unknown, 0) }
      let words = Self.wholeNames.firstIndex(of: name)
      let parts = Self.nameParts.firstIndex { Self.isAny(of: [$0], in: name) }
      return (role, words ?? Self.wholeNames.count + (parts ?? 0))
    }
    return texts.enumerated().map { (rank: rank($1), index: $0, name: $1.name) }
      .sorted { ($0.rank.role, $0.rank.word, $0.index) < ($1.rank.role, $1.rank.word, $1.index) }
      .map(\.name)
  }

  private static let copyParts = ["normalized", "normalised", "canonical", "searchable"]
  private static let identifierParts = [
    "uuid", "guid", "identifier", "hash", "token", "fingerprint", "checksum", "path", "url",
  ]
  private static let wholeNames = [
    "name", "title", "fullname", "displayname", "label", "caption", "subject", "heading",
  ]
  private static let nameParts = fullNames + lastNames + ["name", "title"]
  private static let fullNames = ["fullname", "displayname"]
  private static let lastNames = ["lastname", "surname", "familyname"]
  private static let firstNames = ["firstname", "forename", "givenname"]
  private static let sideParts = [
    "address", "street", "city", "country", "region", "postal", "postcode", "zipcode", "phone",
    "email", "status", "currency", "locale", "language", "mimetype", "contenttype", "prefix",
  ]
  private static let partyParts = [
    "ship", "bill", "customer", "client", "vendor", "supplier", "buyer", "seller", "payer", "payee",
    "sender", "recipient",
  ]
  private static let sideNames = ["state", "kind", "type", "category", "zip", "fax", "mail"]

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
