public import ObjectModel

extension ManagedObjectContext {
  /// Whether there are unsaved changes.
  public var hasChanges: Bool { !unsaved.isEmpty }

  /// The IDs of unsaved new objects.
  public var insertedObjectIDs: [ObjectID] {
    pending.filter(\.value.isInserted).map(\.key).sorted()
  }

  /// The IDs of objects with unsaved changes of attributes or to-one relationships.
  public var updatedObjectIDs: [ObjectID] { pending.filter(\.value.isUpdated).map(\.key).sorted() }

  /// The IDs of objects whose deletion is not saved, including cascades.
  public var deletedObjectIDs: [ObjectID] { pending.filter(\.value.isDeleted).map(\.key).sorted() }

  /// The numbers of inserted, updated and deleted objects that are not saved; O(1).
  public var changeCounts: (inserted: Int, updated: Int, deleted: Int) {
    (unsaved.counts.inserted, unsaved.counts.updated, unsaved.counts.deleted)
  }

  /// The unsaved new objects.
  public var insertedObjects: [ManagedObject] { insertedObjectIDs.map(object) }

  /// The objects with unsaved changes of attributes or to-one relationships.
  public var updatedObjects: [ManagedObject] { updatedObjectIDs.map(object) }

  /// The objects whose deletion is not saved, including cascades.
  public var deletedObjects: [ManagedObject] { deletedObjectIDs.map(object) }

  /// The names of the attributes and to-one relationships of an object that have unsaved changes.
  ///
  /// - Parameter id: The object.
  /// - Returns: The names; empty if the object is not updated.
  public func changedKeys(of id: ObjectID) -> Set<String> {
    let id = resolve(id)
    guard case .updated(let base, let current) = pending[id] else { return [] }
    return Patch(from: base, to: current).names(in: info(for: id.entityName).entity)
  }

  /// Follows delete rules, merges the saves of other contexts, ends the undo group, and notifies
  /// observers once.
  ///
  /// - Returns: What changed since the last call, after observers were notified; nil if nothing
  ///   changed.
  @discardableResult
  public func processPendingChanges() -> ContextChange? {
    attempt { try followDeleteRules() }
    tracking.removedRows = [:]
    undoHistory.closeImplicitGroup()
    var change = takeTouches()
    for save in persistentStoreCoordinator.takeSaves(from: inbox) { merge(save, into: &change) }
    guard !change.isEmpty else { return nil }
    notify(.changed(change))
    return change
  }

  /// What changed since changes were last processed, without the saves of other contexts.
  func takeTouches() -> ContextChange {
    var change = ContextChange()
    for (id, touch) in tracking.takeTouches() {
      switch (touch.existed, isAlive(id)) {
      case (false, true): change.inserted.insert(id)
      case (true, false): change.deleted.insert(id)
      case (true, true):
        guard !touch.keys.isEmpty else {
          continue
        }
        change.updated.insert(id)
        change.changedKeys[id] = touch.keys
      case (false, false): continue
      }
    }
    return change
  }
}
