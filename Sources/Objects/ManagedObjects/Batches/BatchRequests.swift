public import ObjectModel

/// Inserts many objects into the store without making objects in the context: Core Data's
/// NSBatchInsertRequest.
///
/// Give it to ``ManagedObjectContext/execute(_:)-(BatchInsertRequest)``.
public struct BatchInsertRequest: Sendable, Hashable {
  /// The entity.
  public var entityName: String
  /// The values of each object by attribute; an attribute that is missing has its default value.
  public var objects: [[String: Value]]

  /// Makes a request.
  public init(entityName: String, objects: [[String: Value]]) {
    self.entityName = entityName
    self.objects = objects
  }
}

/// Sets attributes of many objects in the store: Core Data's NSBatchUpdateRequest.
///
/// Give it to ``ManagedObjectContext/execute(_:)-(BatchUpdateRequest)``.
public struct BatchUpdateRequest: Sendable, Hashable {
  /// The entity.
  public var entityName: String
  /// The condition, which the values in the store meet; nil for all objects.
  public var predicate: FetchPredicate?
  /// Whether objects of subentities are included.
  public var includesSubentities = true
  /// The new values by attribute.
  public var propertiesToUpdate: [String: Value]

  /// Makes a request.
  public init(
    entityName: String, predicate: FetchPredicate? = nil, propertiesToUpdate: [String: Value]
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.propertiesToUpdate = propertiesToUpdate
  }
}

/// Deletes many objects from the store: Core Data's NSBatchDeleteRequest.
///
/// Give it to ``ManagedObjectContext/execute(_:)-(BatchDeleteRequest)``.
public struct BatchDeleteRequest: Sendable, Hashable {
  /// The objects: those that a fetch returns, or some by their IDs.
  package enum Selection: Sendable, Hashable {
    /// What a request fetches from the store.
    case fetched(FetchRequest<ManagedObject>)
    /// Objects by their IDs; those that do not exist are left out.
    case objectIDs([ObjectID])
  }

  /// The objects.
  package var selection: Selection

  /// Makes a request for what a fetch returns; unsaved changes do not matter.
  public init<Object>(_ fetchRequest: FetchRequest<Object>) {
    var request = FetchRequest<ManagedObject>(fetchRequest)
    request.includesPendingChanges = false
    selection = .fetched(request)
  }

  /// Makes a request for objects by their IDs.
  public init(objectIDs: [ObjectID]) { selection = .objectIDs(objectIDs) }
}

/// What a batch request has written.
public struct BatchResult: Sendable, Hashable {
  /// The new objects.
  public var insertedObjectIDs: [ObjectID] = []
  /// The objects of which something was changed; of a deletion those that delete rules have changed.
  public var updatedObjectIDs: [ObjectID] = []
  /// The deleted objects, cascades included.
  public var deletedObjectIDs: [ObjectID] = []

  /// Describes that nothing was written.
  package init() {}
}
