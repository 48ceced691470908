public import ObjectModel

extension ManagedObjectContext {
  /// Whether there is anything to save.
  public var hasChanges: Bool { !unsaved.isEmpty }

  /// The IDs of new objects that are not saved.
  public var insertedObjectIDs: [ObjectID] {
    pending.filter(\.value.isInserted).map(\.key).sorted()
  }

  /// The IDs of objects with unsaved values or to-one relationships.
  public var updatedObjectIDs: [ObjectID] { pending.filter(\.value.isUpdated).map(\.key).sorted() }

  /// The IDs of objects whose deletion is not saved, cascades included.
  public var deletedObjectIDs: [ObjectID] { pending.filter(\.value.isDeleted).map(\.key).sorted() }

  /// How many objects are inserted, updated and deleted, unsaved; costs nothing.
  public var changeCounts: (inserted: Int, updated: Int, deleted: Int) {
    (unsaved.counts.inserted, unsaved.counts.updated, unsaved.counts.deleted)
  }

  /// New objects that are not saved.
  public var insertedObjects: [ManagedObject] { insertedObjectIDs.map(object) }

  /// Objects with unsaved values or to-one relationships.
  public var updatedObjects: [ManagedObject] { updatedObjectIDs.map(object) }

  /// Objects whose deletion is not saved, cascades included.
  public var deletedObjects: [ManagedObject] { deletedObjectIDs.map(object) }

  /// The names of an object's attributes and to-one relationships with unsaved changes.
  ///
  /// - Parameter id: The object.
  /// - Returns: The names; empty for an object that is not updated.
  public func changedKeys(of id: ObjectID) -> Set<String> {
    let id = resolve(id)
    guard case .updated(let base, let current) = pending[id] else { return [] }
    return Patch(from: base, to: current).names(in: info(for: id.entityName).entity)
  }

  /// Follows delete rules, takes in what other contexts saved, closes the undo group, and tells observers in one go.
  ///
  /// - Returns: What changed since the last time; nil for nothing. Observers were told already.
  @discardableResult
  public func processPendingChanges() -> ContextChange? {
    attempt { try followDeleteRules() }
    tracking.removedRows = [:]
    undoHistory.closeImplicitGroup()
    var change = takeTouches()
    for save in persistentStoreCoordinator.takeSaves(from: inbox) { takeIn(save, into: &change) }
    guard !change.isEmpty else { return nil }
    tell(.changed(change))
    return change
  }

  /// What changed since the last time, not counting what other contexts saved.
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
