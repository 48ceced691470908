import ManagedObjects
import ObjectModel

/// A list request, validated and prepared to be evaluated in memory.
struct LiveQuery {
  let request: ListRequest
  /// The request's plan with its predicate validated.
  let plan: FetchPlan
  let order: RowOrder
  let dependencies: Dependencies

  /// Prepares a request.
  ///
  /// - Throws: ``FetchedResultsError``, or an error of the predicate.
  init(_ request: ListRequest, in context: ManagedObjectContext) throws {
    self.request = request
    guard let entity = context.model.entity(named: request.fetchRequest.entityName) else {
      throw FetchedResultsError(.unknownEntity, entityName: request.fetchRequest.entityName)
    }
    // Objects without a value to sort by are in the order of their keys.
    let canBeSorted = entity.attributes.contains {
      ![.binaryData, .transformable].contains($0.type)
    }
    guard !request.sortDescriptors.isEmpty || !canBeSorted else {
      throw FetchedResultsError(.noSortDescriptors, entityName: entity.name)
    }
    plan = try request.plan(in: context.model)
    dependencies = Dependencies(plan, in: context)
    order = RowOrder(plan, dependencies)
  }

  /// Whether an object belongs in the list, by its values in the context.
  ///
  /// - Throws: What evaluating the predicate throws.
  func includes(_ object: ManagedObject) throws -> Bool {
    try !object.isDeleted && object.isAccessible && plan.predicate?.matches(object) ?? true
  }
}
