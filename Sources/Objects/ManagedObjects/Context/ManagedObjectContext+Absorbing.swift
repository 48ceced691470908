import ObjectModel

extension ManagedObjectContext {
  /// Takes over the result of a save: keys, versions and what triggers changed.
  ///
  /// Nothing is unsaved afterwards.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - isObserved: Whether anybody needs to know what was saved: of very many objects that takes
  ///     time.
  /// - Returns: What was saved; incomplete if there are no observers.
  func absorb(_ result: SaveResult, isObserved: Bool) -> ContextChange {
    let held = unsaved
    let saved = held.pending
    var change = ContextChange(permanentIDs: result.permanentIDs)
    if isObserved {
      change.inserted.reserveCapacity(held.counts.inserted)
      change.updated.reserveCapacity(held.counts.updated)
      change.changedKeys.reserveCapacity(held.counts.updated)
      change.deleted.reserveCapacity(held.counts.deleted)
    }
    let related = relatedChanges
    unsaved = UnsavedChanges()
    cache.forgetDestinations()
    ObjectID.remember(result.permanentIDs)
    undoMemory.remember(result)
    for (temporary, permanent) in result.permanentIDs { objects.rename(temporary, to: permanent) }
    var readCount = 0
    // Keeping very many rows without an instance would evict all others.
    let keepsAll = saved.count <= objects.rowCapacity
    // First what is deleted: a new object may have the key of one.
    for (id, kind) in saved.kinds where kind == .deleted {
      if isObserved { change.deleted.insert(id) }
      setDeleted(id)
    }
    for (former, kind) in saved.kinds where kind != .deleted {
      let id = former.isTemporary ? result.permanentIDs[former] ?? former : former
      let row = result.snapshots[id]
      if let row {
        readCount += 1
        if keepsAll || objects[id] != nil { cache.keep(row) } else { cache.setExisting(id) }
      } else {
        cache.forget(id)
      }
      if kind == .inserted {
        if isObserved { change.inserted.insert(id) }
        if !reserved.isEmpty { reserved.remove(id) }
        undoMemory.forgetDeletion(of: id)
      } else if isObserved, case .updated(let update) = saved[id] {
        change.updated.insert(id)
        change.changedKeys[id] = update.changes.names(in: info(for: id.entityName))
      }
      if let row, let written = saved[former]?.current {
        noteStoreChanges(from: written, to: row, isNew: kind == .inserted, in: &change)
      }
    }
    for (id, keys) in related {
      change.updated.insert(id)
      change.changedKeys[id, default: []].formUnion(keys)
    }
    noteUnforeseen(result, saved: saved, in: &change)
    noteReplaced(result.replacedLinks, in: &change)
    if readCount < result.snapshots.count { noteOthers(result, saved: saved, in: &change) }
    // Objects without another reference are released only now that everything is updated.
    withExtendedLifetime(held) {}
    return change
  }

  /// Notes that a save has deleted an object, which the undo memory knows of those that undo can
  /// bring back.
  private func setDeleted(_ id: ObjectID) {
    if undoMemory.isDeleted(id) { cache.forget(id) } else { cache.setMissing(id) }
  }

  /// The names of the attributes and relationships that a save has changed, by object, except of
  /// new and deleted objects; all names of an object that the store changed in addition to the
  /// request without knowing what changed in it.
  ///
  /// A row that was read before does not show it: it may be older than what others have saved.
  func savedKeys(_ result: SaveResult) -> [ObjectID: Set<String>] {
    var keys: [ObjectID: Set<String>] = [:]
    let new = Set(result.permanentIDs.values)
    for id in result.snapshots.keys where !pending.contains(id) && !new.contains(id) {
      keys[id] = result.changedKeys[id] ?? info(for: id.entityName).propertyNames
    }
    for (id, kind) in pending.kinds where kind == .updated {
      guard case .updated(let update) = pending[id] else { continue }
      let info = info(for: id.entityName)
      var names = update.changes.names(in: info)
      if let row = result.snapshots[id] {
        names.formUnion(Patch(from: update.current, to: row).names(in: info))
      }
      keys[id] = names
    }
    func note(_ id: ObjectID, _ relationship: String) {
      keys[result.permanentIDs[id] ?? id, default: []].insert(relationship)
    }
    for end in unsaved.relatedEnds { note(end.id, end.name) }
    for link in result.replacedLinks { note(link.source, link.relationshipName) }
    return keys
  }

  /// Takes over cached rows that the store changed in addition to the request.
  private func noteOthers(
    _ result: SaveResult, saved: PendingChanges, in change: inout ContextChange
  ) {
    let renamed = Set(result.permanentIDs.values)
    for (id, row) in result.snapshots where !saved.contains(id) && !renamed.contains(id) {
      guard let old = objects.row(of: id) else { continue }
      cache.keep(row)
      change.noteRefreshed(
        id, Patch(from: old, to: row).names(in: info(for: id.entityName)))
    }
  }

  /// Notes rows that the store deleted in addition to the request; undoing the last group brings
  /// them back too.
  private func noteUnforeseen(
    _ result: SaveResult, saved: PendingChanges, in change: inout ContextChange
  ) {
    // By index, so that no row is copied just for its ID.
    for index in result.deletedRows.indices {
      let id = result.deletedRows[index].id
      if saved.contains(id) { continue }
      change.deleted.insert(id)
      setDeleted(id)
      undoHistory.amendLastGroup { [reference] in reference.context?.restoreRow(id) }
    }
  }

  /// Notes links that the store replaced; undoing the last group brings them back too.
  private func noteReplaced(_ links: [ObjectLink], in change: inout ContextChange) {
    for link in links {
      change.noteRefreshed(link.source, [link.relationshipName])
      undoHistory.amendLastGroup { [reference] in
        reference.context?.setLink(
          link.relationshipName, from: link.source, to: link.destination, isLinked: true)
      }
    }
  }

  /// Notes values that differ from the request because of defaults and triggers, but not the key
  /// that the store gave a new object: its permanent ID says it.
  private func noteStoreChanges(
    from written: RowSnapshot, to row: RowSnapshot, isNew: Bool, in change: inout ContextChange
  ) {
    let info = info(for: row.id.entityName)
    let newKey = isNew ? info.onlyKey : nil
    let indexes = row.indexes(differingFrom: written).filter {
      $0 < info.attributeNames.count && $0 != newKey
    }
    guard !indexes.isEmpty else { return }
    change.noteRefreshed(row.id, info.names(ofAttributes: indexes))
  }
}
