import ManagedObjects
import ObjectModel

extension ResultsController {
  /// Updates the list for changed objects: inserts, deletes, moves and updates rows.
  ///
  /// - Complexity: O(*k* log *n*) row reads and one pass over the keys for *k* changed objects. A
  ///   refetch if they are a large part of the list, if rows must be added up to a limit, or if the
  ///   list turns out to be outdated.
  func update(for changed: ChangedObjects, origin: ChangeOrigin) {
    guard let query, let old = results, !changed.isEmpty else { return }
    let isMany = changed.ids.count > max(min(old.count / 4, ResultsChange.rowLimit), 256)
    let isLimited = query.plan.offset > 0 || query.plan.limit.map { old.count >= $0 } ?? false
    do {
      if try changed.needsRefetch || changed.needsReload || isMany
        || (isLimited && concerns(changed, old, query))
      {
        return refetch(for: changed, origin: origin)
      }
      if isLimited { return }
      let update = try ListUpdate(changed, in: old, query, managedObjectContext, open: open)
      if let limit = query.plan.limit, update.new.count > limit {
        return refetch(for: changed, origin: origin)
      }
      placeAgain(changed.ids)
      mostRecentError = nil
      replaceList(with: update.new, update.change, from: update.old, origin: origin)
      if update.new.count == 0, isWindowed { refetch(for: changed, origin: origin) }
    } catch {
      switch error.storeError?.reason {
      case .locked, .cancelled: retryLater(changed, origin, after: error)
      // The list is outdated, or what the context cannot read may do for the store.
      default: refetch(for: changed, origin: origin)
      }
    }
  }

  /// Updates the list after a commit of another process: cached and new rows at once, all others
  /// with a whole fetch, and with one more if it comes during a fetch.
  func updateFromStore(_ changed: ChangedObjects) {
    guard wake != nil else { return refetch(for: changed, origin: .store) }
    if window != nil {
      update(for: changed, origin: .store)
      return readWindowAgain()
    }
    var changed = changed
    do { try changed.ids.formUnion(newest()) } catch { report(error) }
    update(for: changed, origin: .store)
    if background != nil {
      background?.isOutdated = true
    } else if let query {
      startBackground(query, firstScreen: nil, origin: .store)
    }
  }

  /// The greatest number of new rows that are inserted before the whole list is fetched.
  private static let newestCount = 64

  /// The rows with greater keys than any in the list, as new rows nearly always have.
  ///
  /// If the entity's key is not one integer attribute, only the whole fetch finds new rows.
  private func newest() throws -> [ObjectID] {
    guard let query, let greatest = results?.ids.greatestKey,
      let entity = managedObjectContext.model.entity(named: query.plan.entityName),
      entity.keyAttributes.count == 1
    else { return [] }
    let newest = FetchPlan(
      entityName: entity.name, includesSubentities: query.plan.includesSubentities,
      sortDescriptors: [FetchSortDescriptor(entity.keyAttributes[0], ascending: false)],
      limit: Self.newestCount)
    let store = managedObjectContext.persistentStoreCoordinator.store
    return try store.fetch(newest, control: nil).ids.filter { id in
      if case .integer(let key) = id.key { key > greatest } else { false }
    }
  }

  /// Finds the indexes of objects again with the next change if other contexts have saved meanwhile:
  /// they were found by comparing with rows that may be newer than the list.
  func placeAgain(_ ids: Set<ObjectID>) {
    guard managedObjectContext.hasUnmergedSaves else { return }
    var changed = ChangedObjects()
    changed.ids = ids
    keep(changed, .context)
  }

  /// Finds the indexes of unsaved objects again with the next change, if a fetch has found them by
  /// comparing with rows of the store.
  func placeUnsavedAgain(_ query: LiveQuery) {
    guard managedObjectContext.hasChanges, managedObjectContext.hasUnmergedSaves else { return }
    let unsaved = ContextChange(
      inserted: Set(managedObjectContext.insertedObjectIDs),
      updated: Set(managedObjectContext.updatedObjectIDs))
    keep(ChangedObjects(unsaved, for: query, in: managedObjectContext), .context)
  }

  /// Keeps changes that could not be applied until the next one, when the store may be readable.
  private func retryLater(_ changed: ChangedObjects, _ origin: ChangeOrigin, after error: any Error)
  {
    keep(changed, origin)
    report(error)
  }

  /// Whether a limited list may change: one of the objects is in it or matches its predicate.
  private func concerns(
    _ changed: ChangedObjects, _ list: ResultsSections, _ query: LiveQuery
  ) throws -> Bool {
    if !changed.permanentIDs.isEmpty || !list.ids.indexes(of: changed.ids).isEmpty { return true }
    return try managedObjectContext.throwingReports {
      try changed.ids.contains { try query.includes(managedObjectContext.object(with: $0)) }
    }
  }

  /// Fetches the whole list again, synchronously, and reports the difference.
  ///
  /// If the list has only a part of its rows, as many of that part are fetched.
  func refetch(for changed: ChangedObjects, origin: ChangeOrigin) {
    guard let query, let old = results else { return }
    if window != nil { return readWindowNow(for: changed, origin: origin) }
    do {
      let fetched = try fetch(query, part, count: max(old.count, 1))
      let renamed = old.renaming(changed.permanentIDs)
      let change =
        changed.needsReload
        ? .reload : ResultsChange(from: renamed, to: fetched, updated: changed.ids)
      mostRecentError = nil
      placeUnsavedAgain(query)
      replaceList(with: fetched, change, from: renamed, origin: origin)
    } catch {
      retryLater(changed, origin, after: error)
    }
  }

  /// Fetches through the context: all rows, or a number of those of a part.
  ///
  /// - Throws: ``FetchedResultsError`` if the order does not keep sections together; what the store
  ///   throws.
  func fetch(_ query: LiveQuery, _ part: ListPart? = nil, count: Int = 0) throws -> ResultsSections
  {
    let plan =
      try part?.plan(of: query.plan, count: count, in: managedObjectContext.model) ?? query.plan
    return try checked(managedObjectContext.fetchIDs(plan), query)
  }

  /// Makes a list of fetched IDs.
  func checked(_ fetched: FetchedIDs, _ query: LiveQuery) throws -> ResultsSections {
    let new = ResultsSections(fetched, isSectioned: query.plan.sectionKey != nil)
    if new.isSectioned, let split = new.firstOutOfOrder {
      throw FetchedResultsError(
        .outOfOrderSection(name: split.name, index: split.index), entityName: query.plan.entityName)
    }
    return new
  }
}

extension ResultsSections {
  /// The list with permanent IDs in place of temporary ones.
  func renaming(_ permanentIDs: [ObjectID: ObjectID]) -> ResultsSections {
    guard !permanentIDs.isEmpty else { return self }
    var renamed = self
    for (index, id) in ids.indexes(of: Set(permanentIDs.keys)) {
      if let permanent = permanentIDs[id] { renamed.ids[index] = permanent }
    }
    return renamed
  }
}
