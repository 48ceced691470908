import Foundation

/// An object of the store that is migrated, as mappings read it.
public struct MigrationSource: PredicateSubject {
  /// Its ID.
  public let objectID: ObjectID
  let rows: MigrationRows

  /// The value of an attribute; null if there is none of that name.
  public subscript(key: String) -> Value { operand(forKey: key).single }

  /// The objects of a relationship, in order; empty if there are none.
  ///
  /// - Parameter relationship: The name of the relationship.
  /// - Returns: The objects.
  public func objects(_ relationship: String) -> [MigrationSource] {
    operand(forKey: relationship).members.compactMap {
      if case .object(let object) = $0 { object as? MigrationSource } else { nil }
    }
  }

  /// See `PredicateSubject.operand(forKey:)`.
  public func operand(forKey key: String) -> PredicateOperand {
    rows.operand(forKey: key, of: objectID)
  }
}

/// A new object of a migration, which is stored when all are made.
///
/// Setting a relationship sets its inverse too.
public final class MigrationDestination: PredicateSubject {
  /// The ID that it will have.
  public let objectID: ObjectID
  let entity: EntityDescription
  private let model: ManagedObjectModel
  /// The values as they are stored.
  private(set) var values: [Value]
  private var links: [String: Links] = [:]

  /// The objects of a relationship.
  private struct Links {
    private(set) var list: [MigrationDestination] = []
    private var members: Set<ObjectID> = []

    func contains(_ object: MigrationDestination) -> Bool { members.contains(object.objectID) }

    mutating func append(_ object: MigrationDestination) {
      if members.insert(object.objectID).inserted { list.append(object) }
    }

    mutating func remove(_ object: MigrationDestination) {
      guard members.remove(object.objectID) != nil else { return }
      list.removeAll { $0 === object }
    }
  }

  init(_ objectID: ObjectID, _ entity: EntityDescription, in model: ManagedObjectModel) {
    (self.objectID, self.entity, self.model) = (objectID, entity, model)
    values = entity.attributes.map {
      $0.details.derivation == nil ? (try? $0.encode($0.defaultValue)) ?? .null : .null
    }
  }

  /// The name of its entity.
  public var entityName: String { entity.name }

  /// The value of an attribute; null if there is none of that name.
  public subscript(key: String) -> Value {
    entity.attributeIndex(key).map { entity.attributes[$0].decode(values[$0]) } ?? .null
  }

  /// Sets the value of an attribute.
  ///
  /// - Parameters:
  ///   - value: The value. Null leaves the default of a required attribute.
  ///   - key: The attribute.
  /// - Throws: ``StoreError`` if there is none of that name, or it cannot have the value.
  public func setValue(_ value: Value, forKey key: String) throws(StoreError) {
    guard let index = entity.attributeIndex(key) else { throw unknown(key) }
    let attribute = entity.attributes[index]
    if value.isNull, !attribute.isOptional, attribute.hasDefault { return }
    do throws(ModelError) { values[index] = try attribute.encode(value) } catch {
      throw StoreError(
        .unsupported, doing: "migrating", subject: "\(entity.name).\(key)", detail: "\(error)")
    }
  }

  /// Sets a value in its stored form.
  func setStored(_ value: Value, at index: Int) { values[index] = value }

  /// The objects of a relationship, in the order in which they were set.
  ///
  /// - Parameter relationship: The name of the relationship.
  /// - Returns: The objects.
  public func objects(_ relationship: String) -> [MigrationDestination] {
    links[relationship]?.list ?? []
  }

  /// Sets the objects of a relationship.
  ///
  /// - Parameters:
  ///   - objects: The objects; the first one counts if it is to-one.
  ///   - name: The relationship.
  /// - Throws: ``StoreError`` if there is none of that name, or an object has an entity that it does
  ///   not lead to.
  public func setObjects(_ objects: [MigrationDestination], forKey name: String)
    throws(StoreError)
  {
    guard let relationship = entity.relationship(named: name) else { throw unknown(name) }
    let allowed = Set(model.entityNames(inheritingFrom: relationship.destinationEntityName))
    if let wrong = objects.first(where: { !allowed.contains($0.entity.name) }) {
      throw StoreError(
        .unsupported, doing: "migrating", subject: "\(entity.name).\(name)",
        detail: "it does not lead to \(wrong.entity.name)")
    }
    let inverse = model.inverse(of: relationship)
    let wanted = Set(objects.map(\.objectID))
    for old in self.objects(name) where !wanted.contains(old.objectID) {
      if let inverse { old.links[inverse.name]?.remove(self) }
    }
    links[name] = Links()
    for object in relationship.isToMany ? objects[...] : objects.prefix(1) {
      add(object, relationship, inverse)
    }
  }

  private func add(
    _ object: MigrationDestination, _ relationship: RelationshipDescription,
    _ inverse: RelationshipDescription?
  ) {
    links[relationship.name, default: Links()].append(object)
    guard let inverse, object.links[inverse.name]?.contains(self) != true else { return }
    if !inverse.isToMany, let former = object.links[inverse.name]?.list.first {
      former.links[relationship.name]?.remove(object)
      object.links[inverse.name] = Links()
    }
    object.links[inverse.name, default: Links()].append(self)
  }

  /// See `PredicateSubject.operand(forKey:)`.
  public func operand(forKey key: String) -> PredicateOperand {
    if entity.attributeIndex(key) != nil { return .value(self[key]) }
    guard let relationship = entity.relationship(named: key) else { return .missing }
    let found = objects(key)
    return relationship.isToMany
      ? .collection(found) : found.first.map(PredicateOperand.object) ?? .value(.null)
  }

  private func unknown(_ key: String) -> StoreError {
    StoreError(
      .unknownName, doing: "migrating", subject: entity.name, detail: "it has no \(key)")
  }

  /// Its row, as it is stored.
  var row: RowSnapshot {
    RowSnapshot(
      id: objectID, version: 0, values: values,
      toOne: entity.toOneRelationships.map { objects($0.name).first?.objectID })
  }

  /// The links of the relationships that no row has, and of the ordered ones.
  var storedLinks: [ObjectLink] {
    links.sorted { $0.key < $1.key }.flatMap { name, links -> [ObjectLink] in
      guard let relationship = entity.relationship(named: name), relationship.isToMany else {
        return []
      }
      let info = RelationshipInfo(relationship, of: entity, in: model)
      guard relationship.isOrdered || info.kind == .links && info.isCanonical else { return [] }
      return links.list.map { ObjectLink(name, from: objectID, to: $0.objectID) }
    }
  }

  /// What it has not and must have; nil if there is nothing.
  var missing: String? {
    for (attribute, value) in zip(entity.attributes, values)
    where value.isNull && !attribute.isOptional && attribute.details.derivation == nil {
      return attribute.name
    }
    return entity.relationships.first { !$0.isOptional && objects($0.name).isEmpty }?.name
  }
}
