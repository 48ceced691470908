import ObjectModel

extension ManagedObjectModel {
  /// The to-many relationships of an entity that no other property says: all but the inverses of
  /// to-ones and one end of each many-to-many relationship, unless they have an order of their own.
  func linkedRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
    entity.relationships.filter { relationship in
      guard relationship.isToMany else { return false }
      guard let name = relationship.inverseName, !relationship.isOrdered,
        let inverse = self.entity(named: relationship.destinationEntityName)?
          .relationship(named: name)
      else { return true }
      guard inverse.isToMany else { return false }
      if inverse.isOrdered { return false }
      // One of the two ends, or the only one.
      return (inverse.destinationEntityName, relationship.name)
        <= (relationship.destinationEntityName, inverse.name)
    }
  }

  /// The entities of a store whose objects can be written to another one: not those of views.
  var storedEntities: [EntityDescription] {
    entities.filter { !$0.isAbstract && ($0.readOnlyReason == nil || $0.details.isServed) }
  }
}
