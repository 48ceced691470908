import Foundation
import ObjectModel
import SQLQueries

/// The bits of an entity's properties in the bitmap of a change (ZCOLUMNS): core-data-stores 6.
///
/// The most significant bit of the first byte is the first slot. The slots are those of the
/// concrete entity, in five groups: foreign keys, entity columns, order keys, attributes, to-many
/// relationships. Within a group the properties of a superentity come before those of its
/// subentity, and each entity's own are sorted by the bytes of their names.
struct HistorySlots: Hashable, Sendable {
  /// The part of a property that a slot stands for.
  enum Part: Int, Hashable, Sendable, CaseIterable {
    /// The foreign key of a to-one.
    case foreignKey
    /// The entity number of a to-one's destination.
    case entity
    /// The order key of a to-one whose inverse is ordered.
    case order
    /// An attribute.
    case attribute
    /// A to-many relationship.
    case toMany
  }

  /// A bit: a part of a property.
  struct Slot: Hashable, Sendable {
    let property: String
    let part: Part
  }

  /// The properties in a bitmap.
  struct Changes: Hashable, Sendable {
    /// The names of the changed properties, each once, in the order of the slots.
    var properties: [String] = []
    /// How many bits are set after the last slot.
    var unknownCount = 0
  }

  /// The slots in order.
  let slots: [Slot]

  /// Derives the slots of an entity's properties.
  ///
  /// - Parameters:
  ///   - entityName: The name of a concrete entity; one that is not in the model has no slots.
  ///   - layout: The layout of the store.
  init(entityName: String, layout: StoreLayout) {
    var groups: [Part: [Slot]] = [:]
    var inherited: Set<String> = []
    for name in layout.model.line(of: entityName).reversed() {
      guard let entity = layout.model.entity(named: name) else { continue }
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      let own = names.filter { !inherited.contains($0) }.sorted { $0.compareBytes(with: $1) < 0 }
      inherited.formUnion(own)
      for property in own {
        for part in Self.parts(of: property, entity: entity, table: layout.tables[name]) {
          groups[part, default: []].append(Slot(property: property, part: part))
        }
      }
    }
    slots = Part.allCases.flatMap { groups[$0] ?? [] }
  }

  private static func parts(
    of property: String, entity: EntityDescription, table: EntityTable?
  ) -> [Part] {
    guard let relationship = entity.relationship(named: property) else { return [.attribute] }
    if relationship.isToMany { return [.toMany] }
    var parts = [Part.foreignKey]
    if table?.toOne[property]?.entityColumn != nil { parts.append(.entity) }
    if table?.toOne[property]?.orderColumn != nil { parts.append(.order) }
    return parts
  }

  /// Decodes a bitmap.
  func changes(in bitmap: Data) -> Changes {
    var changes = Changes()
    var seen: Set<String> = []
    for (position, byte) in bitmap.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (0x80 >> bit) != 0 {
        let index = position * 8 + bit
        guard slots.indices.contains(index) else {
          changes.unknownCount += 1
          continue
        }
        let name = slots[index].property
        if seen.insert(name).inserted { changes.properties.append(name) }
      }
    }
    return changes
  }

  /// Encodes the bitmap of a change, with all slots of a changed to-one, or only that of its order
  /// key if it is in `orders`.
  func bitmap(properties: Set<String>, orders: Set<String> = []) -> Data {
    var bitmap = Data(count: (slots.count + 7) / 8)
    for (index, slot) in slots.enumerated()
    where properties.contains(slot.property)
      || slot.part == .order && orders.contains(slot.property)
    {
      bitmap[index / 8] |= 0x80 >> (index % 8)
    }
    return bitmap
  }
}

/// The attributes whose values a deletion keeps, and their tombstone columns: core-data-stores 6.
struct HistoryTombstones: Sendable {
  /// The key in an entity's user info whose value lists attributes.
  private static let listKey = "NSPersistentHistoryTombstoneAttributes"

  /// The indexes of the kept attributes in the entity's attributes, in column order (ZTOMBSTONE0,
  /// …).
  let attributes: [Int]

  /// Finds at most as many attributes as there are tombstone columns: first those listed in the
  /// concrete entity's user info, then those flagged, by name.
  init(of entity: EntityDescription, limit: Int) {
    let listed = (entity.details.userInfo[Self.listKey] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let flagged = entity.attributes.filter(\.details.preservesValueInHistoryOnDeletion).map(\.name)
      .sorted { $0.compareBytes(with: $1) < 0 }
    var seen: Set<String> = []
    let names = (listed + flagged).filter { seen.insert($0).inserted }
    attributes = Array(names.compactMap { entity.attributeIndex($0) }.prefix(max(limit, 0)))
  }
}
