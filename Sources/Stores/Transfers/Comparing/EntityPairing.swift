import ObjectModel

/// The properties that an entity has in two stores.
struct EntityPairing {
  private let attributes:
    [(name: String, old: AttributeDescription, new: AttributeDescription, from: Int, to: Int)]
  private let toOne: [(name: String, from: Int, to: Int)]
  private let isOrdered: [Bool]
  private let linkNames: [String]
  /// The to-many relationships that are compared, in the first store and in the second.
  let oldLinks: [RelationshipDescription]
  let newLinks: [RelationshipDescription]
  /// Whether all attributes and to-ones are the same, so that equal bytes are equal values.
  private let isSame: Bool
  private let oldIdentities: ObjectIdentities
  private let newIdentities: ObjectIdentities

  init(
    _ old: EntityDescription, _ new: EntityDescription, in oldModel: ManagedObjectModel,
    _ newModel: ManagedObjectModel, _ oldIdentities: ObjectIdentities,
    _ newIdentities: ObjectIdentities
  ) {
    (self.oldIdentities, self.newIdentities) = (oldIdentities, newIdentities)
    attributes = old.attributes.enumerated().compactMap { index, attribute in
      guard let other = new.attributeIndex(attribute.name) else { return nil }
      return (attribute.name, attribute, new.attributes[other], index, other)
    }
    // In a plain table the attribute of the foreign key says it.
    toOne = old.toOneRelationships.enumerated().compactMap { index, relationship in
      guard relationship.foreignKeyAttributes.isEmpty, let other = new.toOneIndex(relationship.name)
      else { return nil }
      return (relationship.name, index, other)
    }
    let links = oldModel.linkedRelationships(of: old).filter {
      new.relationship(named: $0.name)?.isToMany == true
    }
    oldLinks = links
    newLinks = links.compactMap { new.relationship(named: $0.name) }
    linkNames = links.map(\.name)
    isOrdered = zip(oldLinks, newLinks).map { $0.isOrdered && $1.isOrdered }
    isSame =
      old.attributes.map(\.name) == new.attributes.map(\.name)
      && old.attributes.map(\.encoding) == new.attributes.map(\.encoding)
      && old.toOneRelationships.map(\.name) == new.toOneRelationships.map(\.name)
  }

  /// What has changed from one object to another.
  func changes(from old: ObjectStream.Element, to new: ObjectStream.Element) throws(StoreError)
    -> [StoreDifference.PropertyChange]
  {
    var changes: [StoreDifference.PropertyChange] = []
    if !isSame || !old.row.isWhole || !new.row.isWhole
      || !old.row.values.hasSameBytes(as: new.row.values)
    {
      for attribute in attributes {
        let before = Self.side(old.row, attribute.from, attribute.old)
        let after = Self.side(new.row, attribute.to, attribute.new)
        guard before != after || !Self.hasSameHash(old.row, attribute.from, new.row, attribute.to)
        else { continue }
        changes.append(.init(name: attribute.name, old: before, new: after))
      }
    }
    for (name, from, to) in toOne {
      let before = old.row.toOne.indices.contains(from) ? old.row.toOne[from] : nil
      let after = new.row.toOne.indices.contains(to) ? new.row.toOne[to] : nil
      if try isSame(before.map { [$0] } ?? [], after.map { [$0] } ?? [], ordered: true) { continue }
      changes.append(
        .init(
          name: name, old: .objects(before.map { [$0] } ?? []),
          new: .objects(after.map { [$0] } ?? [])))
    }
    for (index, name) in linkNames.enumerated() {
      let (before, after) = (old.links[index], new.links[index])
      if try isSame(before, after, ordered: isOrdered[index]) { continue }
      changes.append(.init(name: name, old: .objects(before), new: .objects(after)))
    }
    return changes
  }

  private static func side(
    _ row: RowSnapshot, _ index: Int, _ attribute: AttributeDescription
  ) -> StoreDifference.Side {
    if let length = row.cutLengths[index] { return .long(length) }
    return .value(attribute.decode(row.values[index]))
  }

  /// Whether two long values are the same, also after their beginnings.
  private static func hasSameHash(
    _ old: RowSnapshot, _ from: Int, _ new: RowSnapshot, _ to: Int
  ) -> Bool {
    old.cutLengths[from] == nil || old.longHashes[from] == new.longHashes[to]
  }

  /// Whether objects of the stores are the same.
  private func isSame(_ old: [ObjectID], _ new: [ObjectID], ordered: Bool) throws(StoreError)
    -> Bool
  {
    guard old.count == new.count else { return false }
    if old.isEmpty { return true }
    let before = try oldIdentities.identities(of: old)
    let after = try newIdentities.identities(of: new)
    return ordered ? before == after : Set(before) == Set(after)
  }
}
