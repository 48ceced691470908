import Foundation
import ObjectModel
import TerminalApplications

/// The default columns, order and sections of an entity's list, chosen from a sample of its objects.
nonisolated struct ListDefaults: Sendable {
  /// The most distinct values for which each value is a section.
  private static let fewValues = 12

  let entity: EntityDescription
  let sample: ListSample
  /// The text attribute that identifies objects; nil if there is none with values.
  let display: String?
  private let store: any PersistentStore

  /// Reads a sample and chooses.
  init(_ entity: EntityDescription, store: any PersistentStore) {
    self.entity = entity
    self.store = store
    let sample = ListSample(of: entity, in: store)
    self.sample = sample
    let texts = entity.displayCandidates.filter { name in
      guard let attribute = entity.attribute(named: name), sample.isTelling(attribute) else {
        return false
      }
      // A column without a type may have no text.
      return attribute.type == .string || sample.values(of: name).contains(where: \.isText)
    }
    let keys = entity.keyAttributes.filter { entity.attribute(named: $0)?.type == .string }
    display = texts.first ?? (entity.relationships.isEmpty ? keys.first : nil)
  }

  /// The order: by the attribute that identifies objects, or by the first date or number that has
  /// values; empty if there is no attribute.
  var sortDescriptors: [FetchSortDescriptor] {
    let keys = Set(entity.keyAttributes + entity.relationships.flatMap(\.foreignKeyAttributes))
    let telling = { (isWanted: (AttributeDescription) -> Bool) in
      entity.attributes.first {
        isWanted($0) && !keys.contains($0.name) && sample.isTelling($0)
      }?.name
    }
    let name =
      display ?? telling { $0.type == .date } ?? telling { $0.type.isNumeric }
      ?? entity.keyAttributes.first ?? entity.displayAttributeName
    return name.map { [descriptor(for: KeyPathText.text([$0]))] } ?? []
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

  /// The section key for an order; nil for no sections.
  ///
  /// Text by initial, or by value where there are few values; dates by month, or by year where they
  /// span many years.
  func sectionKey(for sort: [FetchSortDescriptor]) -> SectionKey? {
    guard let first = sort.first, let (attribute, owner) = attribute(at: first.keyPath) else {
      return nil
    }
    let keyPath = first.keyPath
    var values: [Value] { sample(of: owner).values(of: attribute.name).filter { !$0.isNull } }
    switch attribute.type {
    case .boolean: return SectionKey(keyPath)
    case .binaryData, .transformable, .uuid: return nil
    case .date:
      let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }
      guard let low = dates.min(), let high = dates.max() else { return nil }
      let years = high.timeIntervalSince(low) / (365 * 86400)
      return SectionKey(keyPath, years > 6 ? .year : .month)
    case .string, .undefined, .uri:
      guard attribute.type != .undefined || values.contains(where: \.isText) else { return nil }
      return SectionKey(keyPath, Self.areFew(values) ? .value : .initial)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      // A key's values are unique.
      guard !owner.keyAttributes.contains(attribute.name) else { return nil }
      return Self.areFew(values) ? SectionKey(keyPath) : nil
    }
  }

  /// The attribute at the end of a key path through to-one relationships, and its entity.
  func attribute(at keyPath: String)
    -> (attribute: AttributeDescription, owner: EntityDescription)?
  { store.model.attribute(at: keyPath, from: entity) }

  private func sample(of owner: EntityDescription) -> ListSample {
    owner.name == entity.name ? sample : ListSample(of: owner, in: store)
  }

  private static func areFew(_ values: [Value]) -> Bool {
    let kinds = Set(values).count
    return values.count >= 8 * max(kinds, 1) && kinds <= fewValues
  }
}

extension Value {
  nonisolated fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}
