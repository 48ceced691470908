import ObjectModel

extension ManagedObjectContext {
  /// Reads every cached row again after another process changed the store, each once, and notifies
  /// observers with ``ContextEvent/refreshed(_:)``.
  ///
  /// Unsaved changes stay. Where the store has changed under one, ``conflicts`` has an entry.
  /// Results controllers of the context follow by themselves, new rows included.
  ///
  /// - Returns: What changed of the cached rows; nil if nothing changed.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read; the context is unchanged then.
  @discardableResult
  public func refreshFromStore() throws -> ContextChange? {
    var ids = Set(objects.rowIDs)
    for (id, pending) in pending where pending.base != nil { ids.insert(id) }
    let found = try storedRows(of: Array(ids), doing: "refreshing")
    cache.forgetDestinations()
    cache.forgetMissing(except: pending.contains)
    deletedMayExist = true
    var merge = StoreMerge(self)
    for id in ids { merge.merge(found[id], for: id) }
    try merge.mergeUnreadOwners(read: ids)
    try merge.mergeOrders()
    processPendingChanges()
    notify(.refreshed(merge.change))
    return merge.change.isEmpty ? nil : merge.change
  }

  /// Evicts the row of an object and what its fetched properties have found, so that they are read
  /// again on next use.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - mergeChanges: Whether its unsaved changes are kept; false discards them.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    let id = object.objectID
    if !mergeChanges { discardChanges(of: [id]) }
    // With an unsaved change it is no fault.
    if !mergeChanges || !object.hasChanges { forgetTransients(of: [object]) }
    turnIntoFaults(pending.contains(id) ? [] : [object]) {
      cache.forget(id)
      cache.forgetDestinations(of: id)
    }
    guard case .updated(let update) = pending[id] else {
      touch(id)
      return
    }
    attempt {
      guard let row = try storedRows(of: [id], doing: "refreshing")[id] else { return }
      touch(id)
      setUpdated(id, row.applying(update.changes), on: row)
    }
  }

  /// After the store refused a save: reads what differs, and has deletions planned again whose
  /// relationships differ.
  func mergeDifference(of error: any Error) {
    guard let difference = error.storeError?.difference else { return }
    cache.forgetDestinations()
    for relationship in difference.destinations.map(\.relationship) {
      let sources = unsaved.expectedDestinations[relationship]?.keys.map(\.self) ?? []
      tracking.unplannedDeletions += sources.filter { pending.isDeleted($0) == true }.sorted()
    }
    mergeRows(of: difference.changed + difference.deleted + difference.unmatched)
  }

  /// Reads rows that differ from what was known of them, and notifies observers.
  func mergeRows(of ids: [ObjectID]) {
    var merge = StoreMerge(self)
    attempt {
      try merge.mergeRows(of: ids, doing: "reading conflicts")
      try merge.mergeUnreadOwners(read: Set(ids))
      try merge.mergeOrders()
    }
    notify(.refreshed(merge.change))
  }

  /// After a refused save: whether the store's changes are merged, so that it may be tried again.
  func canRetry(after error: any Error) throws -> Bool {
    let storeError = error.storeError
    guard let difference = storeError?.difference else {
      // Somebody may have inserted an object with the same unique values meanwhile.
      return try storeError?.reason == .constraint && UniquenessConflicts(of: self).merge()
    }
    if mergePolicy == .error {
      return difference.destinations.isEmpty && difference.deleted.isEmpty
        && difference.changed.allSatisfy {
          !unsaved.isDisputed($0) && pending.isDeleted($0) != true
        } && !unsaved.orders.values.contains(where: \.isDisputed)
    }
    // What an object has gained since it was deleted here is deleted or nullified too.
    try followDeleteRules()
    return difference.unmatched.isEmpty
  }

  /// Sets the unsaved change of a row of the store; none if it changes nothing.
  func setUpdated(_ id: ObjectID, _ current: RowSnapshot, on base: RowSnapshot) {
    let update = RowUpdate(of: base, to: current)
    if update.changes.isEmpty {
      setPending(nil, for: id)
      take(base)
    } else {
      setPending(.updated(update), for: id)
      planDeletionsAgain(of: current)
    }
  }

  /// Keeps the row of an object whose unsaved change is gone.
  func take(_ row: RowSnapshot) {
    cache.keep(row)
    planDeletionsAgain(of: row)
  }

  /// Has the delete rules followed again of those destinations of a row that are deleted here: it
  /// was not known that the row leads to them.
  func planDeletionsAgain(of row: RowSnapshot) {
    for destination in row.toOne.compactMap(\.self) where pending.isDeleted(destination) == true {
      tracking.unplannedDeletions.append(destination)
    }
  }
}
