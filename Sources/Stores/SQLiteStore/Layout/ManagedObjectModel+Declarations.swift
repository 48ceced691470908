import ObjectModel

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
