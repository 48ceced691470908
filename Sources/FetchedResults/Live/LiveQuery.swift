import ManagedObjects
import ObjectModel

/// What a list is asked for, ready to be followed in memory.
struct LiveQuery {
  let plan: FetchPlan
  let order: RowOrder
  let dependencies: Dependencies
  private let entityNames: Set<String>

  /// Prepares a plan.
  ///
  /// - Throws: ``FetchedResultsError``, or an error of the predicate.
  init(_ plan: FetchPlan, in model: ManagedObjectModel) throws {
    guard let entity = model.entity(named: plan.entityName) else {
      throw FetchedResultsError(.unknownEntity, entityName: plan.entityName)
    }
    guard !plan.sortDescriptors.isEmpty else {
      throw FetchedResultsError(.noSortDescriptors, entityName: plan.entityName)
    }
    var plan = plan
    plan.predicate = try plan.predicate?.validated(for: entity, in: model)
    self.plan = plan
    order = RowOrder(plan)
    entityNames =
      plan.includesSubentities
      ? Set(model.entityNames(inheritingFrom: entity.name)) : [entity.name]
    let keyPaths =
      (plan.predicate?.keyPaths ?? []).union(plan.sortDescriptors.map(\.keyPath))
      .union(plan.sectionKey.map { [$0.keyPath] } ?? [])
    dependencies = Dependencies(keyPaths, of: entity, in: model)
  }

  /// Whether an object is of an entity that the list may hold.
  func concerns(_ id: ObjectID) -> Bool { entityNames.contains(id.entityName) }

  /// Whether an object belongs in the list as it stands in its context.
  func includes(_ object: ManagedObject) -> Bool {
    !object.isDeleted && object.isAccessible && (plan.predicate?.matches(object) ?? true)
  }
}
