package import ObjectModel

extension ManagedObjectContext {
  /// Discards all unsaved changes; undo brings them back.
  public func rollback() {
    tracking.unplannedDeletions = []
    refused.removeAll()
    let ends = Array(links.keys)
    undoHistory.group(named: "Discard changes") {
      for end in Array(unsaved.orders.keys) { dropOrder(of: end) }
      for end in ends.sorted() { dropLinks(of: end) }
      discard(pending.ids.sorted())
      discardTransients(of: Array(unsaved.transients.keys))
    }
    processPendingChanges()
  }

  /// Discards the unsaved changes of some objects; undo brings them back.
  ///
  /// - Parameter ids: The objects. What their changes did to other objects (a cascade, an inverse)
  ///   stays. Nothing leads to a new object any more; its delete rules are not followed.
  package func discardChanges(of ids: [ObjectID]) {
    let ids = resolved(ids)
    for id in ids { refused.remove(id) }
    processPendingChanges()
    undoHistory.beginGroup()
    for id in ids {
      for relationship in info(for: id.entityName).relationships.values {
        let end = RelationshipEnd(id, relationship.name)
        if unsaved.orders[end] != nil { dropOrder(of: end) }
        dropLinks(of: end)
      }
    }
    for id in ids where pending[id]?.isInserted == true { attempt { try unlink(id) } }
    discard(ids)
    discardTransients(of: ids)
    undoHistory.setActionName(
      ids.count == 1 ? "Discard changes of \(displayName(of: ids[0]))" : "Discard changes")
    undoHistory.endGroup()
    processPendingChanges()
  }

  /// Discards unsaved changes, cached rows and the undo history.
  ///
  /// Objects are read again on next use.
  public func reset() {
    giveUp(pending.ids)
    turnIntoFaults(instances) {
      restore((UnsavedChanges(), ChangeTracking()))
      forgetTransients(of: objects.instances)
      refused.removeAll()
      keyShapes = [:]
      // What undo remembers as deleted is known to be missing, until that is forgotten too.
      undoHistory.removeAllActions()
      cache.removeAll()
      deletedMayExist = false
    }
    _ = persistentStoreCoordinator.takeSaves(from: inbox)
    notify(.reset)
  }

  /// Restores earlier unsaved changes without notifying observers.
  func restore(_ state: (unsaved: UnsavedChanges, tracking: ChangeTracking)) {
    let dropped = unsaved
    (unsaved, tracking) = state
    // Objects that only those changes retained are released after the assignment.
    withExtendedLifetime(dropped) {}
  }

  /// Runs what changes the context; if it throws, nothing is changed, and nothing can be undone.
  func unchangedIfItThrows<Result>(_ body: () throws -> Result) throws -> Result {
    let (before, recording) = ((unsaved, tracking), undoHistory.recording)
    do { return try body() } catch {
      restore(before)
      undoHistory.restore(recording)
      throw error
    }
  }

  /// Tells a store that may have saved changes in part that these are not to be saved any more.
  func giveUp(_ ids: some Collection<ObjectID>) {
    if ids.isEmpty { return }
    (persistentStoreCoordinator.store as? any PartialSaving)?.forget(Array(ids))
  }

  private func discard(_ ids: [ObjectID]) {
    giveUp(ids)
    for id in ids {
      switch pending[id] {
      case .inserted(let new):
        // What it leads to loses it.
        touchInverses(of: id, from: new.row, to: nil)
        removeRow(id)
      case .updated(let update):
        attempt { _ = try patch(id, update.changes.inverse(on: update.base)) }
      case .deleted(let deletion): restoreRow(id, origin: deletion.origin)
      case nil: break
      }
    }
  }

  /// Takes transient attributes that were set back to their defaults; undo sets them again.
  private func discardTransients(of ids: [ObjectID]) {
    for change in ids.compactMap({ unsaved.transients[$0] }) {
      for key in change.keys.sorted() { setTransient(nil, key, of: change.object) }
      unsaved.forgetTransients(of: change.object.objectID)
    }
  }

  /// Takes an object out of all relationships that have an inverse.
  private func unlink(_ id: ObjectID) throws {
    let object = object(with: id)
    for relationship in object.entity.relationships where relationship.inverseName != nil {
      if relationship.isToMany {
        for other in object.objects(forKey: relationship.name) {
          try object.remove(other, forKey: relationship.name)
        }
      } else if object.object(forKey: relationship.name) != nil {
        try object.setObject(nil, forKey: relationship.name)
      }
    }
  }

  private func dropLinks(of end: RelationshipEnd) {
    guard let change = links[end] else { return }
    for id in change.added { setLink(end.name, from: end.id, to: id, isLinked: false) }
    for id in change.removed.sorted() { setLink(end.name, from: end.id, to: id, isLinked: true) }
  }
}
