import ManagedObjects
import ObjectModel

extension SavePlan {
  /// What the save would write: the unsaved changes, and the deletions as a context of their own finds them.
  ///
  /// - Parameter context: The context with the unsaved changes; it is not changed.
  /// - Returns: The request.
  /// - Throws: What the store says.
  func request(in context: ManagedObjectContext) throws -> SaveRequest {
    var request = try context.saveRequest()
    let scratch = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    try scratch.delete(deleting.filter { !$0.isTemporary })
    scratch.processPendingChanges()
    let deletions = try scratch.saveRequest()
    let gone = Set(deletions.deleted.map(\.id) + deleting)
    request.inserted.removeAll { gone.contains($0.id) }
    request.updated.removeAll { gone.contains($0.id) }
    request.deleted += deletions.deleted
    request.updated += deletions.updated
    request.unlinked += deletions.unlinked
    return request
  }
}
