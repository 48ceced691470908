import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Updates the list after a commit of another process: cached and new rows at once, all others
  /// with a whole fetch, and with one more if it comes during a fetch.
  func updateFromStore(_ changed: ChangedObjects) {
    guard wake != nil else { return refetch(for: changed, origin: .store) }
    update(for: changed, origin: .store)
    do {
      try insertNewest()
    } catch {
      fail(error)
    }
    if background != nil {
      background?.isOutdated = true
    } else if let query {
      startBackground(query, firstScreen: nil, origin: .store)
    }
  }

  /// The greatest number of new rows that are inserted before the whole list is fetched.
  private static let newestCount = 64

  /// Inserts rows with greater keys than any in the list, as new rows nearly always have.
  ///
  /// If the entity's key is not one integer attribute, only the whole fetch finds new rows.
  private func insertNewest() throws {
    guard let query, let list, let greatest = list.ids.greatestKey,
      let entity = context.model.entity(named: query.plan.entityName),
      entity.keyAttributes.count == 1
    else { return }
    let newest = FetchPlan(
      entityName: entity.name, includesSubentities: query.plan.includesSubentities,
      sortDescriptors: [FetchSortDescriptor(entity.keyAttributes[0], ascending: false)],
      limit: Self.newestCount)
    let found = try context.persistentStoreCoordinator.store.fetch(newest, control: nil)
    var changed = ChangedObjects()
    changed.ids = Set(
      found.ids.filter { id in
        if case .integer(let key) = id.key { key > greatest } else { false }
      })
    update(for: changed, origin: .store)
  }
}
