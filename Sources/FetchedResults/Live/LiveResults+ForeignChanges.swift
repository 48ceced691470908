import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Follows a commit of another process: held and new rows at once, all others with a whole fetch.
  ///
  /// Commits during a fetch cause one more fetch after it.
  ///
  /// - Parameter touches: The held rows that changed.
  func followStore(_ touches: Touches) {
    guard wake != nil else { return refetch(touching: touches, origin: .store) }
    follow(touches, origin: .store)
    do {
      try followNewest()
    } catch {
      fail(error)
    }
    if background != nil {
      background?.isOutdated = true
    } else if let query {
      startBackground(query, firstScreen: nil, origin: .store)
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
