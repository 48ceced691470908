public import ObjectModel

extension ManagedObjectContext {
  /// Drops all unsaved changes; undo brings them back.
  public func rollback() {
    pendingDeletes = []
    let ends = Array(links.keys)
    undoHistory.beginGroup()
    for end in Array(orders.keys) { setOrder(nil, of: end) }
    for end in ends.sorted() { dropLinks(of: end) }
    discard(Array(pending.keys).sorted())
    undoHistory.setActionName("Discard changes")
    undoHistory.endGroup()
    processPendingChanges()
  }

  /// Drops the unsaved changes of some objects; undo brings them back.
  ///
  /// - Parameter ids: The objects. What their changes did to others (a cascade, an inverse) stays.
  public func discardChanges(of ids: [ObjectID]) {
    let ids = ids.map(resolve)
    processPendingChanges()
    undoHistory.beginGroup()
    for id in ids {
      for relationship in info(for: id.entityName).relationships.values {
        let end = RelationshipEnd(id, relationship.name)
        if orders[end] != nil { setOrder(nil, of: end) }
        dropLinks(of: end)
      }
    }
    discard(ids)
    undoHistory.setActionName(
      ids.count == 1 ? "Discard changes of \(displayName(of: ids[0]))" : "Discard changes")
    undoHistory.endGroup()
    processPendingChanges()
  }

  /// Forgets everything: unsaved changes, what was read, what can be undone.
  ///
  /// Objects are read again when asked.
  public func reset() {
    pending = [:]
    counts = PendingCounts()
    (incoming, links, orders, destinationCache) = ([:], [:], [:], [:])
    (touches, pendingDeletes, cascadeOrigins) = ([:], [], [:])
    (conflicts, missing, keyShapes) = ([:], [], [:])
    rows.removeAll()
    retained = [:]
    tombstones = [:]
    undoHistory.removeAllActions()
    _ = persistentStoreCoordinator.takeSaves(from: inbox)
    tell(.reset)
  }

  private func discard(_ ids: [ObjectID]) {
    for id in ids {
      switch pending[id] {
      case .inserted: removeRow(id)
      case .updated(let base, let current):
        attempt { _ = try patch(id, Patch(from: current, to: base)) }
      case .deleted: restoreRow(id, as: nil)
      case nil: break
      }
    }
  }

  private func dropLinks(of end: RelationshipEnd) {
    guard let change = links[end] else { return }
    for id in change.added { setLink(end.name, from: end.id, to: id, isLinked: false) }
    for id in change.removed.sorted() { setLink(end.name, from: end.id, to: id, isLinked: true) }
  }
}
