import ObjectModel

/// Which entity of a hierarchy declares a property, and which end of a relationship has the foreign
/// key.
struct ModelTopology {
  /// One end of a relationship, by the entity that declares it.
  struct End: Hashable, Comparable {
    let entity: String
    let relationship: String

    static func < (left: End, right: End) -> Bool {
      (left.entity, left.relationship) < (right.entity, right.relationship)
    }
  }

  let model: ManagedObjectModel

  /// The root entity of an entity.
  func root(of name: String) -> String { model.line(of: name).last ?? name }

  /// The entities that share a root entity's table, itself first.
  func family(of root: String) -> [EntityDescription] {
    model.entityNames(inheritingFrom: root).compactMap { model.entity(named: $0) }
  }

  /// The end of a relationship, by the topmost entity that has it.
  func end(_ relationship: String, of entity: String) -> End {
    let owner = model.line(of: entity).last {
      model.entity(named: $0)?.relationship(named: relationship) != nil
    }
    return End(entity: owner ?? entity, relationship: relationship)
  }

  /// The end of the inverse; nil if there is none.
  func inverseEnd(of relationship: RelationshipDescription) -> End? {
    model.inverse(of: relationship).map { end($0.name, of: relationship.destinationEntityName) }
  }

  /// Whether a to-one relationship has a foreign key.
  ///
  /// In a one-to-one relationship it is the first of the two by name.
  func holdsKey(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    guard !relationship.isToMany else { return false }
    guard let inverse = model.inverse(of: relationship), !inverse.isToMany,
      let other = inverseEnd(of: relationship)
    else { return true }
    return end(relationship.name, of: entity) <= other
  }

  /// Whether a to-many relationship has a join table.
  func needsPairs(_ relationship: RelationshipDescription) -> Bool {
    relationship.isToMany && model.inverse(of: relationship)?.isToMany ?? true
  }
}
