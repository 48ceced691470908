import ObjectModel

extension ManagedObjectContext {
  /// Takes over the result of a save: keys, versions and what triggers changed.
  ///
  /// Nothing is unsaved afterwards.
  func absorb(_ result: SaveResult) -> ContextChange {
    let held = unsaved
    let saved = held.pending
    var change = ContextChange(permanentIDs: result.permanentIDs)
    change.inserted.reserveCapacity(held.counts.inserted)
    change.deleted.reserveCapacity(held.counts.deleted)
    cache.reserveMissing(held.counts.deleted)
    let related = relatedChanges
    unsaved = UnsavedChanges()
    cache.forgetDestinations()
    ObjectID.remember(result.permanentIDs)
    undoMemory.remember(result)
    for (temporary, permanent) in result.permanentIDs { rename(temporary, to: permanent) }
    for (id, was) in saved {
      let id = resolve(id)
      if let row = result.snapshots[id] { keep(row) } else { cache.forget(id) }
      switch was {
      case .inserted(let row):
        change.inserted.insert(id)
        undoMemory.forgetDeletion(of: id)
        noteStoreChanges(from: row, to: result.snapshots[id], of: id, in: &change)
      case .updated(let base, let row):
        change.updated.insert(id)
        change.changedKeys[id] = Patch(from: base, to: row).names(
          in: info(for: id.entityName).entity)
        noteStoreChanges(from: row, to: result.snapshots[id], of: id, in: &change)
      case .deleted:
        change.deleted.insert(id)
        cache.setMissing(id)
      }
    }
    for (id, keys) in related {
      change.updated.insert(id)
      change.changedKeys[id, default: []].formUnion(keys)
    }
    noteUnforeseen(result, saved: saved, in: &change)
    noteReplaced(result.replacedLinks, in: &change)
    noteOthers(result, saved: saved, in: &change)
    // Objects that nobody else references are released now that everything is updated.
    withExtendedLifetime(held) {}
    return change
  }

  /// Takes over cached rows that the store changed in addition to the request.
  private func noteOthers(
    _ result: SaveResult, saved: [ObjectID: Pending], in change: inout ContextChange
  ) {
    let renamed = Set(result.permanentIDs.values)
    for (id, row) in result.snapshots where saved[id] == nil && !renamed.contains(id) {
      guard let old = cache.find(id) else { continue }
      keep(row)
      change.refreshed.insert(id)
      change.changedKeys[id, default: []].formUnion(
        Patch(from: old, to: row).names(in: info(for: id.entityName).entity))
    }
  }

  /// Notes rows that the store deleted in addition to the request; undoing the last group brings
  /// them back too.
  private func noteUnforeseen(
    _ result: SaveResult, saved: [ObjectID: Pending], in change: inout ContextChange
  ) {
    for row in result.deletedRows where saved[row.id] == nil {
      change.deleted.insert(row.id)
      cache.setMissing(row.id)
      undoHistory.amendLastGroup { [weak self] in self?.restoreRow(row.id, as: nil) }
    }
  }

  /// Notes links that the store replaced; undoing the last group brings them back too.
  private func noteReplaced(_ links: [ObjectLink], in change: inout ContextChange) {
    for link in links {
      change.refreshed.insert(link.source)
      change.changedKeys[link.source, default: []].insert(link.relationshipName)
      undoHistory.amendLastGroup { [weak self] in
        self?.setLink(
          link.relationshipName, from: link.source, to: link.destination, isLinked: true)
      }
    }
  }

  /// Notes values that differ from the request because of defaults and triggers.
  private func noteStoreChanges(
    from written: RowSnapshot, to row: RowSnapshot?, of id: ObjectID, in change: inout ContextChange
  ) {
    guard let row else { return }
    let info = info(for: id.entityName)
    let patch = Patch(from: written, to: row)
    var names: Set<String> = []
    for (index, _) in patch.values where info.entity.attributes.indices.contains(index) {
      names.insert(info.entity.attributes[index].name)
    }
    guard !names.isEmpty else { return }
    change.refreshed.insert(id)
    change.changedKeys[id, default: []].formUnion(names)
  }

  private func rename(_ temporary: ObjectID, to permanent: ObjectID) {
    guard let object = objects.removeValue(forKey: temporary)?.object else { return }
    object.objectID = permanent
    objects[permanent] = WeakObject(object: object)
  }
}
