import ObjectModel

extension ManagedObjectContext {
  /// Gives new objects their permanent IDs before they are saved, as Core Data's method of that name.
  ///
  /// A key is reserved in the store; an object that is discarded leaves a gap. Observers are notified
  /// of the IDs.
  ///
  /// - Parameter objects: The objects; those that have a permanent ID are left out.
  /// - Throws: ``ManagedObjectError`` if the store is read-only, or the key of an entity is made of
  ///   its objects' values; no object has another ID then.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    processPendingChanges()
    var seen: Set<ObjectID> = []
    let ids = objects.map(\.objectID).filter {
      $0.isTemporary && pending[$0]?.isInserted == true && seen.insert($0).inserted
    }
    guard !ids.isEmpty else { return }
    try checkWritable(ids)
    var request = SaveRequest()
    request.reserved = ids
    let doing = ids.count == 1 ? "reserving an ID" : "reserving \(ids.count) IDs"
    let permanentIDs = try reading(doing) { store throws(StoreError) in
      try store.save(request)
    }.permanentIDs
    ObjectID.remember(permanentIDs)
    // It cannot be undone.
    let before = tracking
    undoHistory.withoutRegistration {
      for (temporary, permanent) in permanentIDs { rename(pending: temporary, to: permanent) }
      attempt { try renameDestinations(permanentIDs) }
      renameLinks(permanentIDs)
    }
    tracking = before
    notify(.changed(ContextChange(permanentIDs: permanentIDs)))
  }

  private func rename(pending temporary: ObjectID, to permanent: ObjectID) {
    guard case .inserted(let new) = pending[temporary] else { return }
    var row = new.row
    row.id = permanent
    let object = objects[temporary]?.object
    setPending(nil, for: temporary)
    objects.rename(temporary, to: permanent)
    setPending(.inserted(NewRow(row)), for: permanent)
    // If the insertion is undone there is no such object.
    cache.setMissing(permanent)
    reserved.insert(permanent)
    withExtendedLifetime(object) {}
  }

  /// Has to-one relationships that lead to objects lead to their new IDs.
  private func renameDestinations(_ permanentIDs: [ObjectID: ObjectID]) throws {
    for (id, change) in pending {
      var patch = Patch()
      for (index, destination) in (change.current?.toOne ?? []).enumerated() {
        if let permanent = destination.flatMap({ permanentIDs[$0] }) {
          patch.toOne[index] = .some(permanent)
        }
      }
      if !patch.toOne.isEmpty { try self.patch(id, patch) }
    }
  }

  /// Renames both ends of links, and the members of orders.
  private func renameLinks(_ permanentIDs: [ObjectID: ObjectID]) {
    func renamed(_ id: ObjectID) -> ObjectID { permanentIDs[id] ?? id }
    for (end, change) in links {
      let new = RelationshipEnd(renamed(end.id), end.name)
      guard new != end || change.added.contains(where: { permanentIDs[$0] != nil }) else {
        continue
      }
      // All of them, so that they keep their order.
      for id in change.added {
        unsaved.setLink(id, at: end, isLinked: false)
        unsaved.setLink(renamed(id), at: new, isLinked: true)
      }
    }
    for (end, order) in unsaved.orders {
      let new = RelationshipEnd(renamed(end.id), end.name)
      unsaved.setOrder(nil, of: end)
      unsaved.setOrder(order.renaming(renamed), of: new)
    }
  }
}
