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

  /// The inverse of a relationship; nil if it has none.
  func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap {
      model.entity(named: relationship.destinationEntityName)?.relationship(named: $0)
    }
  }

  /// The end of the inverse; nil if there is none.
  func inverseEnd(of relationship: RelationshipDescription) -> End? {
    inverse(of: relationship).map { end($0.name, of: relationship.destinationEntityName) }
  }

  /// Whether a to-one relationship has a foreign key.
  ///
  /// In a one-to-one relationship it is the first of the two by name.
  func holdsKey(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    guard !relationship.isToMany else { return false }
    guard let inverse = inverse(of: relationship), !inverse.isToMany,
      let other = inverseEnd(of: relationship)
    else { return true }
    return end(relationship.name, of: entity) <= other
  }

  /// Whether a to-many relationship has a join table.
  func needsPairs(_ relationship: RelationshipDescription) -> Bool {
    relationship.isToMany && inverse(of: relationship)?.isToMany ?? true
  }
}

extension ManagedObjectModel {
  /// The superentity of an entity; nil for a root entity.
  func superentity(of entity: EntityDescription) -> EntityDescription? {
    entity.superentityName.flatMap { self.entity(named: $0) }
  }

  /// The attributes that an entity declares, without inherited ones.
  func ownAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    let inherited = superentity(of: entity)
    return entity.attributes.filter { inherited?.attribute(named: $0.name) == nil }
  }

  /// The relationships that an entity declares, without inherited ones.
  func ownRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
    let inherited = superentity(of: entity)
    return entity.relationships.filter { inherited?.relationship(named: $0.name) == nil }
  }

  /// The uniqueness constraints that an entity declares, without inherited ones.
  func ownUniquenessConstraints(of entity: EntityDescription) -> [[String]] {
    let inherited = superentity(of: entity)?.uniquenessConstraints ?? []
    return entity.uniquenessConstraints.filter { !inherited.contains($0) }
  }
}
