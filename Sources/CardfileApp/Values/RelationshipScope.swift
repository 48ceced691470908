import ManagedObjects
import ObjectModel

/// The objects that a relationship leads to from one object, as a condition that a list can follow.
enum RelationshipScope {
  /// The condition that an object of the destination is at the other end.
  ///
  /// It reads the relationship back, so that the list follows when objects come and go. Where there
  /// is none, the objects are named one by one, as they are now.
  ///
  /// - Throws: An error of the predicate, if the model is inconsistent.
  static func predicate(
    of relationship: RelationshipDescription, from object: ManagedObject,
    in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    try condition(of: relationship, from: object, in: model)
      .validated(forEntity: relationship.destinationEntityName, in: model)
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
