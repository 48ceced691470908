import ManagedObjects
import ObjectModel

/// A predicate for the destination objects of a relationship, so that a list can follow them.
enum RelationshipScope {
  /// The predicate for an object's destinations.
  ///
  /// It compares the inverse relationship, so that the list follows when destinations are added or
  /// removed. Without an inverse it lists the IDs of the present destinations.
  ///
  /// - Throws: An error of the predicate, if the model is inconsistent.
  static func predicate(
    of relationship: RelationshipDescription, from object: ManagedObject,
    in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    try condition(of: relationship, from: object, in: model)
      .validated(forEntity: relationship.destinationEntityName, in: model)
  }

  /// The predicate for the objects that can be added to an object's to-many relationship: all that
  /// are not in it.
  ///
  /// - Throws: An error of the predicate, if the model is inconsistent.
  static func candidates(
    of relationship: RelationshipDescription, from object: ManagedObject,
    in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    let members = condition(of: relationship, from: object, in: model)
    return try (!members).validated(forEntity: relationship.destinationEntityName, in: model)
  }

  private static func condition(
    of relationship: RelationshipDescription, from object: ManagedObject,
    in model: ManagedObjectModel
  ) -> FetchPredicate {
    let destination = model.entity(named: relationship.destinationEntityName)
    if let name = relationship.inverseName,
      let inverse = destination?.relationship(named: name)
    {
      return FetchPredicate(
        .comparison(
          .init(
            .keyPath([name]), .equal, .object(object.objectID),
            modifier: inverse.isToMany ? .any : .direct)))
    }
    let ids = object.objectIDs(forKey: relationship.name)
    return FetchPredicate(
      .comparison(.init(.selfObject, .in, .list(ids.map { .object($0) }))))
  }
}
