public import ObjectModel

/// What to fetch, and as which class: a `FetchPlan` with settings for managed objects.
public struct FetchRequest<Object: ManagedObject>: Sendable, Hashable {
  /// The entity.
  public var entityName: String
  /// The condition; nil for all objects.
  public var predicate: FetchPredicate?
  /// The order; empty for the store's own, by key.
  public var sortDescriptors: [FetchSortDescriptor]
  /// The greatest number of objects; 0 for no limit.
  public var fetchLimit = 0
  /// How many objects to skip at the start.
  public var fetchOffset = 0
  /// How many rows are read at once when a fault of the results is fired; 0 for 1,000.
  public var fetchBatchSize = 0
  /// Whether objects of subentities are included.
  public var includesSubentities = true
  /// Whether unsaved changes are included; false fetches what is saved.
  public var includesPendingChanges = true
  /// The key paths of relationships whose objects are read with those that are fetched: `"owner"`,
  /// `"dvds.genre"`.
  ///
  /// It takes a query for each relationship, however many objects there are. See
  /// `ManagedObjectContext.prefetch(relationships:of:)`.
  public var relationshipKeyPathsForPrefetching: [String] = []

  /// Makes a fetch request.
  public init(
    entityName: String, predicate: FetchPredicate? = nil,
    sortDescriptors: [FetchSortDescriptor] = []
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  /// Makes the same request for objects of another class.
  package init<Other>(_ other: FetchRequest<Other>) {
    entityName = other.entityName
    predicate = other.predicate
    sortDescriptors = other.sortDescriptors
    fetchLimit = other.fetchLimit
    fetchOffset = other.fetchOffset
    fetchBatchSize = other.fetchBatchSize
    includesSubentities = other.includesSubentities
    includesPendingChanges = other.includesPendingChanges
    relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
  }

  /// Makes the plan of the request for a store, its predicate validated.
  ///
  /// - Throws: `FetchPredicateError` if the predicate does not fit the entity.
  package func plan(in model: ManagedObjectModel) throws(FetchPredicateError) -> FetchPlan {
    var plan = FetchPlan(
      entityName: entityName, includesSubentities: includesSubentities,
      predicate: try predicate?.validated(forEntity: entityName, in: model),
      sortDescriptors: sortDescriptors, limit: fetchLimit > 0 ? fetchLimit : nil,
      offset: max(fetchOffset, 0))
    plan.prefetchedPaths = relationshipKeyPathsForPrefetching
    return plan
  }
}
