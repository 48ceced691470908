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
    var change = ContextChange()
    for id in ids { merge(found[id], for: id, into: &change) }
    try mergeUnreadOwners(into: &change, read: ids)
    try mergeOrders(into: &change)
    processPendingChanges()
    notify(.refreshed(change))
    return change.isEmpty ? nil : change
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

  /// Merges what others have saved, and reads what is outdated.
  ///
  /// A save says which objects it has changed. Those that are known here are read: somebody may
  /// have saved them again since, this context too.
  func mergeSaves(into change: inout ContextChange) throws {
    var gone: Set<ObjectID> = []
    let saves = persistentStoreCoordinator.takeSaves(from: inbox)
    for save in saves { note(save, in: &change, gone: &gone) }
    if !tracking.outdated.isEmpty {
      let ids = tracking.outdated.sorted()
      let found = try storedRows(of: ids, doing: "refreshing")
      tracking.outdated = []
      for id in ids { merge(found[id], for: id, into: &change) }
    }
    if !saves.isEmpty { try mergeOrders(into: &change) }
    change.forgetUpdatesOfDeleted()
  }

  /// Notes what a save has changed; `gone` has what the saves before it have deleted.
  private func note(
    _ save: SavedChange, in change: inout ContextChange, gone: inout Set<ObjectID>
  ) {
    cache.forgetDestinations()
    for id in save.inserted {
      undoMemory.forgetDeletion(of: id)
      if gone.remove(id) == nil {
        change.inserted.insert(id)
      } else {
        // Somebody's merge policy kept an object that somebody else had deleted.
        change.deleted.remove(id)
        change.noteRefreshed(id, info(for: id.entityName).propertyNames)
      }
      if isKnown(id) { tracking.outdated.insert(id) } else { cache.forget(id) }
    }
    for id in save.updated where isKnown(id) { tracking.outdated.insert(id) }
    for id in save.deleted {
      if isKnown(id) || objects[id] != nil {
        tracking.outdated.insert(id)
      } else if change.inserted.remove(id) == nil {
        change.deleted.insert(id)
      } else {
        continue
      }
      gone.insert(id)
    }
    // Also those that were read since, perhaps to be changed here: a list may be older.
    for (id, keys) in save.changedKeys where pending.isDeleted(id) != true {
      if !change.inserted.contains(id) { change.refreshed.insert(id) }
      change.changedKeys[id, default: []].formUnion(keys)
    }
    change.forgetUpdatesOfDeleted()
  }

  /// Whether it matters here what somebody has saved of an object.
  private func isKnown(_ id: ObjectID) -> Bool { pending.contains(id) || objects.hasRow(id) }

  /// Merges the present row of the store; nil if it was deleted.
  func merge(_ row: RowSnapshot?, for id: ObjectID, into change: inout ContextChange) {
    let info = info(for: id.entityName)
    func note(mine: Set<String> = [], _ theirs: Set<String> = []) {
      guard let pending = pending[id] else { return }
      unsaved.note(
        ContextConflict(of: pending, id, info, with: row, myKeys: mine, theirKeys: theirs))
    }
    switch pending[id] {
    case .inserted: return
    case .deleted(let deletion):
      guard let row else {
        // Deleted here and in the store: nothing is left to save.
        setPending(nil, for: id)
        cache.setMissing(id)
        return
      }
      guard let version = deletion.version, version != row.version else { return }
      let theirs = deletion.base.map { Patch(from: $0, to: row).names(in: info) } ?? []
      note(theirs)
    case .updated(let update):
      let (base, mine) = (update.base, update.changes)
      guard base.version != row?.version else {
        // The store has returned to what was read here.
        if unsaved.isDisputed(id) { unsaved.removeConflict(of: id) }
        return
      }
      guard let row else {
        let wasGone = unsaved.conflicts[id]?.isGone == true
        note(mine: mine.names(in: info))
        if wasGone { return }
        // Its links are gone with the row.
        let toMany = info.relationships.values.filter { $0.kind != .toOne }
        change.noteRefreshed(id, toMany.map(\.name))
        return
      }
      let theirs = Patch(from: base, to: row)
      let (myKeys, theirKeys) = (mine.names(in: info), theirs.names(in: info))
      let disputed = theirKeys.subtracting(forcedKeys(mine, theirs, of: base, info))
      if !myKeys.isDisjoint(with: disputed) {
        note(mine: myKeys, theirKeys)
      } else {
        unsaved.removeConflict(of: id)
        setUpdated(id, row.applying(mine), on: row)
        guard !theirKeys.isEmpty else { return }
        change.noteRefreshed(id, theirKeys)
        noteOwners(from: base, to: row, in: &change)
      }
    case nil:
      guard let row else {
        if let old = objects.row(of: id) { noteOwners(from: old, to: nil, in: &change) }
        noteSources(of: id, in: &change)
        if !isMissing(id) { change.deleted.insert(id) }
        cache.setMissing(id)
        return
      }
      guard let old = objects.row(of: id), old.version != row.version else { return keep(row) }
      keep(row)
      change.noteRefreshed(id, Patch(from: old, to: row).names(in: info))
      noteOwners(from: old, to: row, in: &change)
    }
  }

  /// The properties that both have set to nil because what they led to was deleted: nobody could
  /// choose anything else.
  private func forcedKeys(
    _ mine: Patch, _ theirs: Patch, of base: RowSnapshot, _ info: EntityInfo
  ) -> Set<String> {
    var names: Set<String> = []
    for (index, destination) in mine.toOne {
      guard destination == nil, theirs.toOne[index] == .some(nil),
        let former = base.destination(at: index), !isAlive(former)
      else { continue }
      names.insert(info.toOne[index].name)
      for attribute in info.foreignKeys[index]
      where mine.values[attribute]?.isNull == true && theirs.values[attribute]?.isNull == true {
        names.insert(info.attributeNames[attribute])
      }
    }
    return names
  }

  /// Notes the objects whose to-many relationship has lost or gained an object, because its row in
  /// the store has another destination now, or was deleted.
  private func noteOwners(
    from old: RowSnapshot, to row: RowSnapshot?, in change: inout ContextChange
  ) {
    for (index, relationship) in info(for: old.id.entityName).toOne.enumerated() {
      guard let inverse = relationship.inverse, inverse.isToMany else { continue }
      let (before, after) = (old.destination(at: index), row?.destination(at: index))
      guard before != after else { continue }
      for owner in [before, after].compactMap(\.self) where isAlive(owner) {
        change.noteRefreshed(owner, [inverse.name])
      }
    }
  }

  /// Notes the objects that lead to a deleted one by unsaved changes.
  private func noteSources(of id: ObjectID, in change: inout ContextChange) {
    guard !unsaved.isEmpty else { return }
    for relationship in info(for: id.entityName).relationships.values {
      guard let inverse = relationship.inverse else { continue }
      let end = RelationshipEnd(id, relationship.name)
      let sources = Array(unsaved.incoming[end] ?? []) + (links[end]?.added ?? [])
      for source in sources where isAlive(source) {
        change.noteRefreshed(source, [inverse.name])
      }
    }
  }

  /// Reads the owners that were noted without having been read: they may be gone themselves.
  private func mergeUnreadOwners(into change: inout ContextChange, read: Set<ObjectID>) throws {
    let unread = change.changedKeys.keys.filter { !read.contains($0) && !pending.contains($0) }
    if !unread.isEmpty {
      let found = try storedRows(of: unread, doing: "refreshing")
      for id in unread { merge(found[id], for: id, into: &change) }
    }
    change.forgetUpdatesOfDeleted()
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
    var change = ContextChange()
    attempt {
      let found = try storedRows(of: ids, doing: "reading conflicts")
      for id in ids { merge(found[id], for: id, into: &change) }
      try mergeUnreadOwners(into: &change, read: Set(ids))
      try mergeOrders(into: &change)
    }
    notify(.refreshed(change))
  }

  /// After a refused save: whether the store's changes are merged, so that it may be tried again.
  func canRetry(after error: any Error) throws -> Bool {
    let storeError = error.storeError
    guard let difference = storeError?.difference else {
      // Somebody may have inserted an object with the same unique values meanwhile.
      return try storeError?.reason == .constraint && mergeUniquenessConflicts()
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
    keep(row)
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
