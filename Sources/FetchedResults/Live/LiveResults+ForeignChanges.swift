import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Takes in what another process has committed: what is held and what is new at once, all else in the background.
  func refetchAfterForeignChange(wake: (@Sendable () -> Void)?) {
    guard let query, list != nil else { return }
    contextOrigin = .store
    defer { contextOrigin = .context }
    do {
      _ = try context.refreshFromStore()
      try followNewest()
    } catch {
      fail(error)
    }
    guard let wake else { return refetch(touching: Touches(), origin: .store) }
    if background != nil {
      background?.isOutdated = true
    } else {
      startBackground(query, firstScreen: nil, origin: .store, wake: wake)
    }
  }

  /// How many new rows are looked for before the whole list is fetched.
  private static let newestCount = 64

  /// Takes in rows with greater keys than any in the list, as new rows nearly always have.
  ///
  /// Where keys are not whole numbers of one attribute, new rows come with the whole list.
  private func followNewest() throws {
    guard let query, let list, let greatest = list.ids.greatestKey,
      let entity = context.model.entity(named: query.plan.entityName),
      entity.keyAttributes.count == 1
    else { return }
    let newest = FetchPlan(
      entityName: entity.name, includesSubentities: query.plan.includesSubentities,
      sortDescriptors: [FetchSortDescriptor(entity.keyAttributes[0], ascending: false)],
      limit: Self.newestCount)
    let found = try context.persistentStoreCoordinator.store.fetch(newest, control: nil)
    var touches = Touches()
    touches.ids = Set(
      found.ids.filter { id in
        if case .integer(let key) = id.key { key > greatest } else { false }
      })
    if !touches.ids.isEmpty { follow(touches, origin: .store) }
  }
}
