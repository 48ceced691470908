import ObjectModel

/// The order in which a person asks for the columns of a list, by the names of the properties and a
/// sample of the objects.
///
/// What identifies an object comes first, then when, how much and whose it is. Other
/// values follow; texts that repeat, addresses and codes are last.
nonisolated struct ColumnOrder {
  /// The rank of a column.
  private enum Rank: Int {
    case title, restOfName, date, amount, owner, number, text, value, prose, repeating, sideFact
    case code, key
  }

  private let defaults: ListDefaults
  /// The attributes that tell something, without the title and foreign keys.
  private let attributes: [AttributeDescription]
  /// The to-one relationships that tell something.
  private let toOnes: [RelationshipDescription]

  /// - Parameters:
  ///   - defaults: The entity with its sample and title.
  ///   - hidden: The relationship that leads all rows to the same object; nil for none.
  init(_ defaults: ListDefaults, hiding hidden: String? = nil) {
    self.defaults = defaults
    let (entity, sample) = (defaults.entity, defaults.sample)
    let foreignKeys = Set(entity.toOneRelationships.flatMap(\.foreignKeyAttributes))
    attributes = entity.attributes.filter {
      $0.name != defaults.display && !foreignKeys.contains($0.name) && sample.isTelling($0)
    }
    // What joins others is known by both ends, also if the first rows have one of them in common.
    let isJoin = defaults.display == nil && entity.toOneRelationships.count > 1
    toOnes = entity.toOneRelationships.filter {
      $0.name != hidden && (sample.isTelling($0) || isJoin && sample.mayTell($0))
    }
  }

  // MARK: When, how much, whose

  /// The date of the objects; rather not the one when they were changed last, or that most lack.
  var mainDate: AttributeDescription? {
    let sample = defaults.sample
    let dates = attributes.filter { $0.type == .date && !isKey($0) }
    let filled = dates.filter { date in
      sample.values(of: date.name).count { if case .date = $0 { true } else { false } } * 2
        >= sample.count
    }
    return filled.first { !EntityDescription.isHousekeeping($0) } ?? filled.first ?? dates.first
  }

  /// The number that says how much: money first, then fractions, then sizes.
  private var mainAmount: AttributeDescription? {
    let numbers = attributes.filter { $0.type.isNumeric && !isKey($0) && !isCode($0) }
    return numbers.first { Self.contains(Self.money, $0.name) }
      ?? numbers.first { [.decimal, .double, .float].contains($0.type) }
      ?? numbers.first { Self.contains(Self.sizes, $0.name) }
  }

  /// The relationships to whom an object belongs: those to objects with names first, those to many
  /// different ones first; to objects of the same entity, such as the one before, last.
  private var owners: [RelationshipDescription] {
    toOnes.enumerated().map { index, relationship in
      let isOwn = relationship.destinationEntityName == defaults.entity.name
      let kind = isOwn ? 2 : defaults.leadsToNames(relationship) ? 0 : 1
      let count = defaults.sample.distinctDestinations(of: relationship.name)
      return (relationship: relationship, kind: kind, count: count, index: index)
    }.sorted { ($0.kind, -$0.count, $0.index) < ($1.kind, -$1.count, $1.index) }
      .map(\.relationship)
  }

  // MARK: The order

  /// What the columns show, one at least if the entity has any attribute or object.
  var sources: [ListColumn.Source] {
    let (entity, display) = (defaults.entity, defaults.display)
    let (date, amount) = (mainDate, mainAmount)
    let isNamed = display != nil || date != nil
    // Nothing else names the objects than their keys.
    let isBare = !isNamed && toOnes.isEmpty
    let hasKey = attributes.contains(where: isKey)
    var ranked: [(source: ListColumn.Source, rank: Rank)] = []
    if let title = display.flatMap({ entity.attribute(named: $0) }) {
      ranked.append((.attribute(title), .title))
    } else if isBare, !hasKey, !defaults.hasRandomKey || attributes.isEmpty {
      ranked.append((.object(entityName: entity.name), .title))
    }
    ranked += owners.enumerated().map { index, relationship in
      // Without a title and a date an object is known by where it leads.
      let rank: Rank = index > 2 ? .value : isNamed ? .owner : .restOfName
      return (.toOne(relationship), defaults.sample.isSparse(relationship) ? .code : rank)
    }
    ranked += attributes.map { attribute in
      let rank: Rank =
        switch attribute.name {
        case date?.name: .date
        case amount?.name: .amount
        case _ where isBare && isKey(attribute): .title
        default: rank(attribute)
        }
      return (.attribute(attribute), rank)
    }
    return ranked.enumerated().sorted {
      ($0.element.rank.rawValue, $0.offset) < ($1.element.rank.rawValue, $1.offset)
    }.map(\.element.source)
  }

  private func rank(_ attribute: AttributeDescription) -> Rank {
    // An object that nothing else names is known by its key.
    if isKey(attribute) {
      return defaults.display == nil && (mainDate != nil || !toOnes.isEmpty) ? .number : .key
    }
    if let last = defaults.display, EntityDescription.isFirstName(attribute.name, of: last) {
      return .restOfName
    }
    if isSparse(attribute) { return .code }
    if attribute.type == .boolean { return .repeating }
    if attribute.type == .uri || repeatsTitle(attribute) { return .code }
    if attribute.type == .date, EntityDescription.isHousekeeping(attribute) { return .sideFact }
    guard let text = TextEvidence(attribute, in: defaults.sample) else {
      return attribute.type.isNumeric && isCode(attribute) ? .code : .value
    }
    if text.isCode || text.role >= .identifier { return .code }
    if text.role == .sideFact { return .sideFact }
    return text.repeats ? .repeating : text.isProse ? .prose : .text
  }

  /// Whether most values are those of the title, as in a column to sort by.
  private func repeatsTitle(_ attribute: AttributeDescription) -> Bool {
    guard let display = defaults.display else { return false }
    let values = defaults.sample.values(of: attribute.name)
    let titles = defaults.sample.values(of: display)
    return zip(values, titles).count { $0 == $1 && !$0.isNull } * 2 > values.count
  }

  /// Whether hardly any object has a value.
  private func isSparse(_ attribute: AttributeDescription) -> Bool {
    let values = defaults.sample.values(of: attribute.name)
    return values.count { !$0.isNull } * 5 < values.count
  }

  private func isKey(_ attribute: AttributeDescription) -> Bool {
    defaults.entity.keyAttributes.contains(attribute.name)
  }

  /// Whether a number is a code by its name: counting or comparing it tells a person nothing.
  private func isCode(_ attribute: AttributeDescription) -> Bool {
    Self.contains(Self.codes, attribute.name)
  }

  // MARK: Words

  private static let money = [
    "total", "amount", "price", "cost", "balance", "sum", "value", "freight", "salary",
  ]
  private static let sizes = [
    "duration", "length", "size", "quantity", "seconds", "count", "rating", "score", "weight",
    "bytes",
  ]
  private static let codes = [
    "flag", "version", "hash", "checksum", "csum", "crc", "denom", "mask", "guid", "uuid", "state",
    "status", "kind", "type", "_id", "index", "position",
  ]

  private static func contains(_ words: [String], _ name: String) -> Bool {
    let name = name.lowercased()
    return words.contains { name.contains($0) }
  }
}

/// What the name and the sampled values of a column of texts say.
nonisolated struct TextEvidence {
  let name: String
  let role: EntityDescription.TitleRole
  /// Whether few of the values are of their own.
  let repeats: Bool
  /// Whether most values are codes, numbers, addresses or markup rather than words.
  let isCode: Bool
  /// Whether most values are longer than a line.
  let isProse: Bool
  /// Whether every object has a text.
  let isWhole: Bool
  /// Whether the column can be the title of the objects.
  let isTitle: Bool

  /// - Returns: Nil if the column has no texts.
  init?(_ attribute: AttributeDescription, in sample: ListSample) {
    let values = sample.values(of: attribute.name)
    let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    guard attribute.type == .string || !texts.isEmpty else { return nil }
    name = attribute.name
    role = attribute.type == .string ? EntityDescription.titleRole(of: attribute) : .unknown
    isWhole = texts.count == values.count
    let distinct = Set(texts).count
    repeats = distinct * 2 < texts.count
    isCode = !texts.isEmpty && texts.count(where: Self.isCode) * 5 >= texts.count * 4
    isProse = texts.count { $0.utf8.count > 80 } * 2 > texts.count
    // A name may be shared by some; any other text must be nearly everybody's own.
    let differs =
      switch role {
      case .name: distinct >= Self.manyNames || distinct * 10 >= texts.count
      case .nameOfSomething: !repeats
      // The number of an order is as good as a name.
      default: !repeats && (!isCode || attribute.name.lowercased().contains("number"))
      }
    isTitle =
      values.isEmpty || role <= .unknown && differs && texts.count * 2 >= values.count
  }

  /// From how many different names on they tell objects apart, however many objects there are.
  private static let manyNames = 20

  /// Whether a text is no words: a number, a code such as `EUR` or `SKU-12`, a path, an address of
  /// the web or of mail, or markup.
  private static func isCode(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    if [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "/")].contains(first)
    {
      return true
    }
    var (hasDigit, hasLower, hasAt, length) = (false, false, false, 0)
    for byte in text.utf8.prefix(64) {
      switch byte {
      case UInt8(ascii: " "), 0x80...: return false
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLower = true
      case UInt8(ascii: "@"): hasAt = true
      default: break
      }
      length += 1
    }
    return hasDigit || hasAt || !hasLower && length <= 5 || text.contains("://")
  }
}
