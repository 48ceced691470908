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
  /// Its number.
  let number: Int32
  private let objects: MigrationObjects

  init(_ number: Int32, of objects: MigrationObjects) {
    (self.number, self.objects) = (number, objects)
  }

  /// The ID that it will have.
  public var objectID: ObjectID { objects.id(of: number) }

  var entity: EntityDescription { objects.entity(of: number) }

  /// The name of its entity.
  public var entityName: String { objectID.entityName }

  /// The value of an attribute; null if there is none of that name.
  public subscript(key: String) -> Value {
    let entity = entity
    return entity.attributeIndex(key).map {
      entity.attributes[$0].decode(objects.value(at: $0, of: number))
    } ?? .null
  }

  /// Sets the value of an attribute.
  ///
  /// - Parameters:
  ///   - value: The value. Null leaves the default of a required attribute.
  ///   - key: The attribute.
  /// - Throws: ``StoreError`` if there is none of that name, or it cannot have the value.
  public func setValue(_ value: Value, forKey key: String) throws(StoreError) {
    let entity = entity
    guard let index = entity.attributeIndex(key) else { throw unknown(key) }
    let attribute = entity.attributes[index]
    if value.isNull, !attribute.isOptional, attribute.hasDefault { return }
    do throws(ModelError) {
      objects.setValue(try attribute.encode(value), at: index, of: number)
    } catch {
      throw StoreError(
        .unsupported, doing: MigrationManager.doing, subject: "\(entity.name).\(key)",
        detail: "\(error)")
    }
  }

  /// Sets a value in its stored form.
  func setStored(_ value: Value, at index: Int) {
    objects.setValue(value, at: index, of: number)
  }

  /// The objects of a relationship, in the order in which they were set.
  ///
  /// - Parameter relationship: The name of the relationship.
  /// - Returns: The objects.
  public func objects(_ relationship: String) -> [MigrationDestination] {
    objects.objects(relationship, of: number).map { MigrationDestination($0, of: objects) }
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
    guard self.objects.relationship(name, of: number) != nil else { throw unknown(name) }
    let allowed = self.objects.allowedEntities(name, of: number)
    if let wrong = objects.first(where: { !allowed.contains($0.entityName) }) {
      throw StoreError(
        .unsupported, doing: MigrationManager.doing, subject: "\(entityName).\(name)",
        detail: "it does not lead to \(wrong.entityName)")
    }
    self.objects.setObjects(objects.map(\.number), name, of: number)
  }

  /// See `PredicateSubject.operand(forKey:)`.
  public func operand(forKey key: String) -> PredicateOperand {
    if entity.attributeIndex(key) != nil { return .value(self[key]) }
    guard let relationship = objects.relationship(key, of: number) else { return .missing }
    let found = objects(key)
    return relationship.isToMany
      ? .collection(found) : found.first.map(PredicateOperand.object) ?? .value(.null)
  }

  private func unknown(_ key: String) -> StoreError {
    StoreError(
      .unknownName, doing: MigrationManager.doing, subject: entityName, detail: "it has no \(key)")
  }
}
