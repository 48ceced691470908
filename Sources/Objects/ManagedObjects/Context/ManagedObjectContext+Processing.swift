package import ObjectModel

extension ManagedObjectContext {
  /// Whether there are unsaved changes.
  public var hasChanges: Bool { !unsaved.isEmpty }

  /// The IDs of unsaved new objects.
  package var insertedObjectIDs: [ObjectID] {
    pending.ids(where: \.isInserted).sorted()
  }

  /// The IDs of objects with unsaved changes of attributes or relationships, also of a to-many
  /// relationship whose objects were inserted, deleted or moved.
  package var updatedObjectIDs: [ObjectID] {
    var ids = Set(pending.ids(where: \.isUpdated))
    ids.formUnion(relatedChanges.keys)
    ids.formUnion(unsaved.transients.keys.filter { pending[$0] == nil && isAlive($0) })
    return ids.sorted()
  }

  /// The changed to-many relationships of objects that are neither new nor deleted.
  var relatedChanges: [ObjectID: Set<String>] {
    unsaved.relatedEnds.reduce(into: [:]) { changes, end in
      let kind = info(for: end.id.entityName).relationships[end.name]?.kind
      guard kind != nil, kind != .toOne, isAlive(end.id), pending[end.id]?.isInserted != true else {
        return
      }
      changes[end.id, default: []].insert(end.name)
    }
  }

  /// The to-many relationships of an object that have unsaved changes.
  func changedToMany(of id: ObjectID) -> Set<String> {
    guard !unsaved.isEmpty else { return [] }
    return Set(
      info(for: id.entityName).relationships.values.filter {
        $0.kind != .toOne && unsaved.isChanged(RelationshipEnd(id, $0.name))
      }.map(\.name))
  }

  /// The IDs of objects whose deletion is not saved, including cascades.
  package var deletedObjectIDs: [ObjectID] { pending.ids(where: \.isDeleted).sorted() }

  /// The numbers of inserted, updated and deleted objects that are not saved.
  ///
  /// Updated are those of which something is written: not an object that others lead to by now.
  ///
  /// - Complexity: O(*n*) in the number of objects with unsaved links of many-to-many and ordered
  ///   relationships.
  package var changeCounts: (inserted: Int, updated: Int, deleted: Int) {
    let counts = unsaved.counts
    return (counts.inserted, counts.updated + unsaved.linkedCount, counts.deleted)
  }

  /// The unsaved new objects.
  public var insertedObjects: [ManagedObject] { insertedObjectIDs.map(object) }

  /// The objects with unsaved changes of attributes or relationships.
  public var updatedObjects: [ManagedObject] { updatedObjectIDs.map(object) }

  /// The objects whose deletion is not saved, including cascades.
  public var deletedObjects: [ManagedObject] { deletedObjectIDs.map(object) }

  /// The names of the attributes and relationships of an object that have unsaved changes.
  ///
  /// - Parameter id: The object.
  /// - Returns: The names; empty if the object is not updated.
  package func changedKeys(of id: ObjectID) -> Set<String> {
    let id = resolve(id)
    let others = changedToMany(of: id).union(unsaved.transients[id]?.keys ?? [])
    switch pending[id] {
    case .updated(let update):
      return update.changes.names(in: info(for: id.entityName)).union(others)
    case nil: return others
    case .inserted, .deleted: return []
    }
  }

  /// Follows delete rules, merges the saves of other contexts, ends the undo group, and notifies
  /// observers once.
  ///
  /// - Returns: What changed since the last call, after observers were notified; nil if nothing
  ///   changed.
  @discardableResult
  public func processPendingChanges() -> ContextChange? {
    process(isWanted: true)
  }

  /// Does what ``processPendingChanges()`` does, for a caller that does not need the result: what
  /// changed is computed only if there are observers.
  func processWithoutResult() { _ = process(isWanted: false) }

  private func process(isWanted: Bool) -> ContextChange? {
    attempt { try followDeleteRules() }
    tracking.forgetRemovedRows()
    dropUnchangedOrders(of: unsaved.orders.keys)
    undoHistory.closeImplicitGroup()
    var merge = StoreMerge(
      self, adding: takeTouches(isWanted: isWanted || !observers.isEmpty))
    attempt { try merge.mergeSaves() }
    guard !merge.change.isEmpty else { return nil }
    notify(.changed(merge.change))
    return merge.change
  }

  /// What changed since changes were last processed, without the saves of other contexts; nothing
  /// if there are no observers, because for very many objects that takes time.
  func takeTouches(isWanted: Bool) -> ContextChange {
    var change = ContextChange()
    let touches = tracking.takeTouches()
    guard isWanted else { return change }
    change.inserted.reserveCapacity(min(touches.count, unsaved.counts.inserted))
    change.updated.reserveCapacity(min(touches.count, unsaved.counts.updated))
    change.changedKeys.reserveCapacity(min(touches.count, unsaved.counts.updated))
    change.deleted.reserveCapacity(min(touches.count, unsaved.counts.deleted))
    // Iterating over the array would retain and release each set of keys.
    touches.entries.withUnsafeBufferPointer { [pending] entries in
      for position in entries.indices {
        let id = entries[position].id
        let exists = isAlive(id, isDeletionPending: pending.isDeleted(id))
        switch (entries[position].content, exists) {
        case (.new, true): change.inserted.insert(id)
        case (.known, false): change.deleted.insert(id)
        case (.known(let keys), true):
          if keys.isEmpty { continue }
          change.updated.insert(id)
          change.changedKeys[id] = keys
        case (.new, false): continue
        }
      }
    }
    return change
  }
}
