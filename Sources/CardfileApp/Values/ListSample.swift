import Foundation
import ManagedObjects
import ObjectModel

/// The first objects of an entity, from which columns, order and sections of its list are chosen.
nonisolated struct ListSample: Sendable {
  /// The most objects in a sample.
  private static let limit = 200
  /// The most seconds that a sample may take.
  private static let timeLimit = 1.0

  let entity: EntityDescription
  private let rows: [RowSnapshot]

  /// Reads a sample; it is empty if the objects cannot be read in time.
  init(of entity: EntityDescription, in store: any PersistentStore) {
    self.entity = entity
    let plan = FetchPlan(entityName: entity.name, limit: Self.limit)
    guard let ids = try? store.fetch(plan, control: FetchControl(timeLimit: Self.timeLimit)).ids,
      let found = try? store.snapshots(of: Array(ids))
    else {
      rows = []
      return
    }
    rows = ids.compactMap { found[$0] }
  }

  /// The number of objects in the sample.
  var count: Int { rows.count }

  /// The decoded values of an attribute, NULLs included; empty if there is no such attribute.
  func values(of name: String) -> [Value] {
    guard let index = entity.attributeIndex(name) else { return [] }
    let attribute = entity.attributes[index]
    return rows.map {
      // Objects of sub-entities have the inherited attributes first, at the same indexes.
      $0.values.indices.contains(index) ? attribute.decode($0.values[index]) : .null
    }
  }

  /// The destinations of a to-one relationship, one for each object.
  private func destinations(of name: String) -> [ObjectID?] {
    guard let index = entity.toOneIndex(name) else { return [] }
    return rows.map { $0.toOne.indices.contains(index) ? $0.toOne[index] : nil }
  }

  // MARK: What the values tell

  /// Whether a relationship leads some objects elsewhere than others; true for an empty sample.
  func isTelling(_ relationship: RelationshipDescription) -> Bool {
    let destinations = destinations(of: relationship.name)
    guard let first = destinations.first else { return true }
    return destinations.contains { $0 != nil }
      && (count == 1 || destinations.contains { $0 != first })
  }

  /// Whether the values of an attribute tell a person something: no bytes, no identifiers, no
  /// copies of another attribute for searching, and not the same for all objects.
  func isTelling(_ attribute: AttributeDescription) -> Bool {
    guard ![.binaryData, .transformable, .uuid].contains(attribute.type) else { return false }
    guard count > 0 else { return attribute.details.derivation == nil || attribute.type.isNumeric }
    let values = values(of: attribute.name)
    guard values.contains(where: { !$0.isNull }) else { return false }
    guard count == 1 || Set(values).count > 1 else { return false }
    return !isIdentifier(values) && !isCopy(attribute, values)
  }

  /// Whether all values are UUIDs or bytes.
  private func isIdentifier(_ values: [Value]) -> Bool {
    values.allSatisfy { value in
      switch value {
      case .null, .data, .uuid: true
      case .string(let text): text.isUUID
      default: false
      }
    }
  }

  /// Whether an attribute has the values of another one in another case or without accents, or the
  /// same values as one before it.
  private func isCopy(_ attribute: AttributeDescription, _ values: [Value]) -> Bool {
    let texts = values.map(\.textOrNil)
    guard texts.contains(where: { $0 != nil }) else { return false }
    var isBefore = true
    for other in entity.attributes {
      guard other.name != attribute.name else {
        isBefore = false
        continue
      }
      guard other.type == attribute.type else { continue }
      let originals = self.values(of: other.name).map(\.textOrNil)
      if originals == texts {
        if isBefore { return true }
        continue
      }
      let isFolded = zip(texts, originals).allSatisfy { text, original in
        guard let text, let original else { return text == nil && original == nil }
        return text == original.lowercased() || text == original.uppercased()
          || text == TextFolding.folded(original)
      }
      if isFolded { return true }
    }
    return false
  }
}

extension Value {
  /// The text; nil for any other value.
  nonisolated fileprivate var textOrNil: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
