import Foundation
import ObjectModel
import TerminalApplications

/// The default columns, order and sections of an entity's list, chosen from a sample of its objects.
nonisolated struct ListDefaults: Sendable {
  /// The most distinct values for which each value is a section.
  private static let fewValues = 12
  /// The most objects that a list refers to for which each is a section.
  private static let fewObjects = 40
  /// The most rows that are seen at a glance, without sections.
  private static let fewRows = 15

  let entity: EntityDescription
  let sample: ListSample
  /// The text attribute that identifies objects: one that differs from row to row, or the best text
  /// where there is neither a date nor another object to know them by; nil for none.
  let display: String?
  /// Whether a person would look for objects in the order of their titles, rather than of a date:
  /// they are names, and none is missing.
  private let orders: Bool
  /// Whether a part of the key is a random identifier, which means nothing to a person.
  let hasRandomKey: Bool
  private let store: any PersistentStore
  let surveys: ListSurveys

  /// Reads a sample and chooses, which takes 3 ms for an entity of a million rows and 15 columns, and
  /// 7 ms for the 40 of a photo library.
  init(_ entity: EntityDescription, store: any PersistentStore) {
    self.entity = entity
    self.store = store
    surveys = ListSurveys(of: entity, in: store)
    let sample = ListSample(of: entity, in: store)
    self.sample = sample
    let texts = entity.displayCandidates.compactMap { entity.attribute(named: $0) }
      .filter(sample.isTelling)
      .compactMap { TextEvidence($0, in: sample) }
    let hasOthers =
      entity.attributes.contains { $0.type == .date && sample.isTelling($0) }
      || entity.toOneRelationships.contains(where: sample.isTelling)
    let hasRandomKey = entity.keyAttributes.contains {
      sample.isIdentifier(sample.values(of: $0))
    }
    self.hasRandomKey = hasRandomKey
    let keys = entity.keyAttributes.filter {
      entity.attribute(named: $0)?.type == .string && !hasRandomKey
    }
    display =
      texts.first(where: \.isTitle)?.name
      ?? (hasOthers ? nil : texts.first { !$0.repeats }?.name)
      ?? (entity.relationships.isEmpty && !hasOthers ? keys.first : nil)
    let title = texts.first { [display] in $0.name == display }
    orders = title.map { $0.isWhole && $0.role <= .nameOfSomething } ?? true
  }

  /// The order; empty if there is no attribute but of bytes, for the order of the keys.
  ///
  /// By names that all objects have, or else by a date that all have, by another title, by any date,
  /// by a key that is not random and leads to no other object, or by the first number that has values.
  var sortDescriptors: [FetchSortDescriptor] {
    let foreignKeys = Set(entity.relationships.flatMap(\.foreignKeyAttributes))
    let keys = entity.keyAttributes
    let number = entity.attributes.first {
      $0.type.isNumeric && !keys.contains($0.name) && !foreignKeys.contains($0.name)
        && sample.isTelling($0)
    }
    let date = ColumnOrder(self).mainDate?.name
    let isDated = date.map { sample.values(of: $0).allSatisfy(\.isDate) } ?? false
    let ownKey = keys.first { !foreignKeys.contains($0) }
    let name =
      (orders || !isDated ? display : nil) ?? date
      ?? (hasRandomKey ? number?.name : nil) ?? ownKey ?? number?.name ?? keys.first
      ?? entity.displayAttributeName
    return name.map { [descriptor(for: KeyPathText.text([$0]))] } ?? []
  }

  /// The order of a list of all objects: the default one, or that of the keys of a long list that the
  /// store would have to sort, or could only send whole.
  var orderOfAll: [FetchSortDescriptor] {
    let order = surveys.storeOrder(for: sortDescriptors)
    let keys = entity.keyAttributes.map { FetchSortDescriptor(KeyPathText.text([$0])) }
    let isSorted = surveys[order] == nil || surveys.warning(of: order) != nil
    return isSorted && surveys[keys]?.isForWindows == true ? keys : order
  }

  /// The sort descriptor of a key path: text in the localized order, with numbers in it by value
  /// where the texts have some; other values binary.
  func descriptor(for keyPath: String, ascending: Bool = true) -> FetchSortDescriptor {
    guard let (attribute, owner) = attribute(at: keyPath), attribute.type == .string else {
      return FetchSortDescriptor(keyPath, ascending: ascending)
    }
    let texts = sample(of: owner).values(of: attribute.name).filter(\.isText)
    let hasNumbers = texts.contains { $0.description.utf8.contains { (0x30...0x39).contains($0) } }
    return FetchSortDescriptor(
      keyPath, ascending: ascending, comparison: .localized(numeric: hasNumbers))
  }

  /// The section key for an order; nil where sections would not help to find a row.
  ///
  /// Text by initial, or by value where there are few values; dates by month, or by year where they
  /// span many years. Sections help if there are several with some rows each, on more than a screen.
  func sectionKey(for sort: [FetchSortDescriptor]) -> SectionKey? {
    guard let first = sort.first, let (attribute, owner) = attribute(at: first.keyPath) else {
      return nil
    }
    let sample = sample(of: owner)
    let values = sample.values(of: attribute.name).filter { !$0.isNull }
    // A sample of another entity says nothing about the rows of this list.
    let isOwn = owner.name == entity.name
    let isShort = isOwn && sample.isWhole && sample.count <= Self.fewRows
    func key(_ transform: SectionKey.Transform) -> SectionKey? {
      let key = SectionKey(first.keyPath, transform)
      guard isOwn, !values.isEmpty else { return key }
      let count = Set(values.map { key.name(of: $0, attribute) }).count
      // The next objects are of other days, but not of other initials.
      let mayGrow = attribute.type == .date && !sample.isWhole
      return !isShort && (count > 1 || mayGrow) && values.count >= 2 * count ? key : nil
    }
    switch attribute.type {
    case .boolean: return key(.value)
    case .binaryData, .transformable, .uuid: return nil
    case .date:
      let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }
      guard let low = dates.min(), let high = dates.max() else { return nil }
      let years = high.timeIntervalSince(low) / (365 * 86400)
      return (years > 6 ? nil : key(.month)) ?? key(.year)
    case .string, .undefined, .uri:
      guard attribute.type != .undefined || values.contains(where: \.isText) else { return nil }
      let areFew = isOwn ? Self.areFew(values) : sample.isWhole && sample.count <= Self.fewObjects
      // By bytes A and a are far apart.
      let isByBytes = first.comparison == .binary && surveys.storeOrderName(of: first) != nil
      return areFew || !isByBytes ? key(areFew ? .value : .initial) : nil
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      // A key's values are unique.
      guard !owner.keyAttributes.contains(attribute.name), Self.areFew(values) else { return nil }
      return key(.value)
    }
  }

  /// The attribute at the end of a key path through to-one relationships, and its entity.
  func attribute(at keyPath: String)
    -> (attribute: AttributeDescription, owner: EntityDescription)?
  { store.model.attribute(at: keyPath, from: entity) }

  /// Whether the objects that a relationship leads to have names.
  func leadsToNames(_ relationship: RelationshipDescription) -> Bool {
    guard let owner = store.model.entity(named: relationship.destinationEntityName),
      let title = owner.displayCandidates.first.flatMap({ owner.attribute(named: $0) })
    else { return false }
    return EntityDescription.titleRole(of: title) <= .nameOfSomething
  }

  private func sample(of owner: EntityDescription) -> ListSample {
    owner.name == entity.name ? sample : ListSample(of: owner, in: store)
  }

  private static func areFew(_ values: [Value]) -> Bool {
    let kinds = Set(values).count
    return values.count >= 8 * max(kinds, 1) && kinds <= fewValues
  }
}

extension Value {
  nonisolated var isText: Bool {
    if case .string = self { true } else { false }
  }

  nonisolated fileprivate var isDate: Bool {
    if case .date = self { true } else { false }
  }
}
