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
  /// The decoded values of each attribute, in the order of the entity's attributes.
  private let columns: [[Value]]

  /// The names of what tells something: that is asked often, and all values are looked at.
  private var tellingAttributes: Set<String> = []
  private var tellingRelationships: Set<String> = []

  /// Whether there is no sample because another program's lock kept it from being read.
  let isUnread: Bool

  /// Reads a sample; it is empty if the objects cannot be read in time.
  init(of entity: EntityDescription, in store: any PersistentStore) {
    self.entity = entity
    let plan = FetchPlan(entityName: entity.name, limit: Self.limit)
    guard let ids = try? store.fetch(plan, control: FetchControl(timeLimit: Self.timeLimit)).ids,
      let found = try? store.snapshots(of: Array(ids))
    else {
      (rows, columns) = ([], entity.attributes.map { _ in [] })
      isUnread = FetchControl.current?.hasMetLock == true
      findWhatTells()
      return
    }
    isUnread = false
    let rows = ids.compactMap { found[$0] }
    self.rows = rows
    columns = entity.attributes.enumerated().map { index, attribute in
      // Objects of sub-entities have the inherited attributes first, at the same indexes.
      rows.map { $0.values.indices.contains(index) ? attribute.decode($0.values[index]) : .null }
    }
    findWhatTells()
  }

  private mutating func findWhatTells() {
    tellingAttributes = Set(entity.attributes.filter(tells).map(\.name))
    tellingRelationships = Set(entity.toOneRelationships.filter(tells).map(\.name))
  }

  /// The number of objects in the sample.
  var count: Int { rows.count }

  /// The decoded values of an attribute, NULLs included; empty if there is no such attribute.
  func values(of name: String) -> [Value] {
    entity.attributeIndex(name).map { columns[$0] } ?? []
  }

  /// The destinations of a to-one relationship, one for each object.
  private func destinations(of name: String) -> [ObjectID?] {
    guard let index = entity.toOneIndex(name) else { return [] }
    return rows.map { $0.toOne.indices.contains(index) ? $0.toOne[index] : nil }
  }

  /// Into how many parts the objects fall by where a to-one relationship leads.
  func distinctDestinations(of name: String) -> Int {
    Set(destinations(of: name).compactMap(\.self)).count
  }

  /// Whether there are all objects of the entity.
  var isWhole: Bool { count < Self.limit }

  // MARK: What the values tell

  /// Whether a relationship leads some objects elsewhere than others; true for an empty sample.
  func isTelling(_ relationship: RelationshipDescription) -> Bool {
    tellingRelationships.contains(relationship.name)
  }

  private func tells(_ relationship: RelationshipDescription) -> Bool {
    let destinations = destinations(of: relationship.name)
    guard let first = destinations.first else { return true }
    return destinations.contains { $0 != nil }
      && (count == 1 || destinations.contains { $0 != first })
  }

  /// Whether hardly any object has a destination.
  func isSparse(_ relationship: RelationshipDescription) -> Bool {
    let destinations = destinations(of: relationship.name)
    return destinations.count { $0 != nil } * 5 < destinations.count
  }

  /// Whether a relationship leads the objects of the sample to the same one, but perhaps not others.
  func mayTell(_ relationship: RelationshipDescription) -> Bool {
    !isWhole && !isSparse(relationship)
  }

  /// Whether the values of an attribute tell a person something: no bytes, no identifiers, no
  /// copies of another attribute for searching, and not the same for all objects.
  func isTelling(_ attribute: AttributeDescription) -> Bool {
    tellingAttributes.contains(attribute.name)
  }

  private func tells(_ attribute: AttributeDescription) -> Bool {
    guard ![.binaryData, .transformable, .uuid].contains(attribute.type) else { return false }
    guard count > 0 else { return attribute.details.derivation == nil || attribute.type.isNumeric }
    let values = values(of: attribute.name)
    guard values.contains(where: { !$0.isNull }) else { return false }
    guard count == 1 || values.contains(where: { $0 != values[0] }) else { return false }
    return !isIdentifier(values) && !isCopy(attribute, values)
  }

  /// Whether all values are UUIDs or bytes; false if there are none.
  func isIdentifier(_ values: [Value]) -> Bool {
    !values.isEmpty
      && values.allSatisfy { value in
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
    guard values.contains(where: { $0.textOrNil != nil }) else { return false }
    var isBefore = true
    for (other, originals) in zip(entity.attributes, columns) {
      guard other.name != attribute.name else {
        isBefore = false
        continue
      }
      guard other.type == attribute.type else { continue }
      if originals == values {
        if isBefore { return true }
        continue
      }
      let isFolded = zip(values, originals).allSatisfy { value, copied in
        guard let text = value.textOrNil, let original = copied.textOrNil else {
          return value.textOrNil == copied.textOrNil
        }
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
