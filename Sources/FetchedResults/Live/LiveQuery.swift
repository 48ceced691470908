import ManagedObjects
import ObjectModel

/// A list request, validated and prepared to be evaluated in memory.
struct LiveQuery {
  private(set) var request: ListRequest
  /// The request's plan with its predicate validated.
  let plan: FetchPlan
  let order: RowOrder
  let dependencies: Dependencies
  private let entityNames: Set<String>

  /// Prepares a request.
  ///
  /// - Throws: ``FetchedResultsError``, or an error of the predicate.
  init(_ request: ListRequest, in model: ManagedObjectModel) throws {
    self.request = request
    var plan = request.plan
    guard let entity = model.entity(named: plan.entityName) else {
      throw FetchedResultsError(.unknownEntity, entityName: plan.entityName)
    }
    guard !plan.sortDescriptors.isEmpty else {
      throw FetchedResultsError(.noSortDescriptors, entityName: plan.entityName)
    }
    plan.predicate = try plan.predicate?.validated(for: entity, in: model)
    self.plan = plan
    entityNames =
      plan.includesSubentities
      ? Set(model.entityNames(inheritingFrom: entity.name)) : [entity.name]
    let keyPaths =
      (plan.predicate?.keyPaths ?? []).union(plan.sortDescriptors.map(\.keyPath))
      .union(plan.sectionKey.map { [$0.keyPath] } ?? [])
    dependencies = Dependencies(keyPaths, of: entity, in: model)
    order = RowOrder(plan, prefetching: dependencies.toOnePaths)
  }

  /// Takes another request with the same plan, such as the same filter typed in other words.
  ///
  /// - Returns: Whether it has the same plan.
  mutating func adopt(_ request: ListRequest) -> Bool {
    guard request.plan == self.request.plan else { return false }
    self.request = request
    return true
  }

  /// Whether an object is of an entity that the list may hold.
  func concerns(_ id: ObjectID) -> Bool { entityNames.contains(id.entityName) }

  /// Whether an object belongs in the list as it stands in its context.
  func includes(_ object: ManagedObject) -> Bool {
    !object.isDeleted && object.isAccessible && (plan.predicate?.matches(object) ?? true)
  }
}
