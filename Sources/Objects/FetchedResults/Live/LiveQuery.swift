import ManagedObjects
import ObjectModel

/// A list request, validated and prepared to be evaluated in memory.
struct LiveQuery {
  let request: ListRequest
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
    guard let entity = model.entity(named: request.fetchRequest.entityName) else {
      throw FetchedResultsError(.unknownEntity, entityName: request.fetchRequest.entityName)
    }
    guard !request.sortDescriptors.isEmpty else {
      throw FetchedResultsError(.noSortDescriptors, entityName: entity.name)
    }
    plan = try request.plan(in: model)
    entityNames =
      plan.includesSubentities
      ? Set(model.entityNames(inheritingFrom: entity.name)) : [entity.name]
    let keyPaths =
      (plan.predicate?.keyPaths ?? []).union(plan.sortDescriptors.map(\.keyPath))
      .union(plan.sectionKey.map { [$0.keyPath] } ?? [])
    dependencies = Dependencies(keyPaths, of: entity, in: model)
    order = RowOrder(plan, prefetching: dependencies.toOnePaths)
  }

  /// Whether an object is of an entity of the list.
  func concerns(_ id: ObjectID) -> Bool { entityNames.contains(id.entityName) }

  /// Whether an object belongs in the list, by its values in the context.
  ///
  /// - Throws: What evaluating the predicate throws.
  func includes(_ object: ManagedObject) throws -> Bool {
    try !object.isDeleted && object.isAccessible && plan.predicate?.matches(object) ?? true
  }
}
