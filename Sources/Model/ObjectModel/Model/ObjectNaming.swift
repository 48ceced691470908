/// By which of its values a person knows an object of an entity.
package struct ObjectNaming: Sendable {
  private let entity: EntityDescription
  /// The indexes of the attributes that can name an object, the best first: texts, then dates, then
  /// names of parties, facts that objects share and identifiers.
  private let candidates: [Int]
  /// The index of the attribute with the first name, by that of the last name.
  private let firstNames: [Int: Int]

  /// Orders the attributes of an entity.
  package init(_ entity: EntityDescription) {
    self.entity = entity
    let dates = entity.attributes.filter {
      $0.type == .date && !EntityDescription.isHousekeeping($0)
    }.map(\.name)
    let texts = entity.displayCandidates
    // An order is of a day and a customer rather than the name that the parcel was sent to.
    let isEvent = !dates.isEmpty && !entity.toOneRelationships.isEmpty
    let titles = texts.filter { name in
      guard let text = entity.attribute(named: name) else { return false }
      return EntityDescription.titleRole(of: text) <= .unknown
        && !(isEvent && entity.isNameOfParty(text))
    }
    candidates = (titles + dates + texts.filter { !titles.contains($0) })
      .compactMap(entity.attributeIndex)
    firstNames = Dictionary(
      firstOf: candidates.compactMap { last in
        let name = entity.attributes[last].name
        let first = entity.attributes.firstIndex {
          $0.type == .string && EntityDescription.isFirstName($0.name, of: name)
        }
        return first.map { (last, $0) }
      })
  }

  /// The first text that an object has, a last name behind its first name, or else a date, with
  /// entity and key if it is a whole day, which many objects can have; nil for none of them.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - value: The stored value of the attribute at an index.
  /// - Returns: A text, never empty and never a UUID.
  package func name(of id: ObjectID, value: (Int) -> Value) -> String? {
    for index in candidates {
      switch entity.attributes[index].decode(value(index)) {
      case .string(let text) where !text.isEmpty && !text.isUUID:
        guard let first = firstNames[index],
          case .string(let firstName) = entity.attributes[first].decode(value(first)),
          !firstName.isEmpty
        else { return text }
        return "\(firstName) \(text)"
      case .date(let date):
        let text = Value.date(date).description
        return text.utf8.count > 10 || id.isTemporary ? text : "\(id.description) · \(text)"
      default: continue
      }
    }
    return nil
  }
}

extension String {
  /// Whether the text is a UUID, with or without hyphens.
  package var isUUID: Bool {
    guard utf8.count == 36 || utf8.count == 32 else { return false }
    return utf8.count { Character(UnicodeScalar($0)).isHexDigit } == 32
      && utf8.count { $0 == UInt8(ascii: "-") } == utf8.count - 32
  }
}
