import ObjectModel

// Deleting rows and bringing them back. Each call is one undo step, however many rows there are.
extension ManagedObjectContext {
  /// Deleted objects in the order of their deletion, and the unsaved changes that some of them had
  /// before.
  struct RemovedRows {
    fileprivate(set) var ids: [ObjectID] = []
    /// The changes, in the order of the objects; nil for those that had none, and empty if no
    /// object had any.
    private var changes: [Pending?] = []

    init(ids: [ObjectID] = []) { self.ids = ids }

    mutating func append(_ id: ObjectID, _ change: Pending?) {
      if change != nil, changes.isEmpty { changes = Array(repeating: nil, count: ids.count) }
      ids.append(id)
      if change != nil || !changes.isEmpty { changes.append(change) }
    }

    /// The unsaved change that an object had, by its position.
    func change(at position: Int) -> Pending? { changes.isEmpty ? nil : changes[position] }
  }

  /// Deletes objects, without following their delete rules.
  ///
  /// - Parameters:
  ///   - ids: The objects; those that are deleted already are left out.
  ///   - origin: The relationship that the deletion cascaded along; nil for objects that are
  ///     deleted themselves.
  ///   - plan: The plan that the deletion is part of; nil if delete rules are to be followed when
  ///     changes are processed.
  ///   - willRemove: Called before each object with the number of those before it; what it throws
  ///     ends the deletion, and what was deleted until then is an undo step.
  /// - Returns: The number of objects that were deleted.
  @discardableResult
  func removeRows(
    _ ids: [ObjectID], origin: RelationshipName? = nil, in plan: DeletionPlan? = nil,
    willRemove: (Int) throws -> Void
  ) rethrows -> Int {
    var removed = RemovedRows()
    removed.ids.reserveCapacity(ids.count)
    defer {
      if !removed.ids.isEmpty {
        // As a rule all are removed: then there is one array of them and not two.
        if removed.ids == ids { removed.ids = ids }
        undoHistory.register { [reference, removed] in
          reference.context?.restoreRows(removed, origin: origin)
        }
      }
    }
    // Taken from the plan once: passing the plan on would copy it for each object.
    let (versions, former) = (plan?.versions, plan?.former ?? [:])
    for id in ids {
      try willRemove(removed.ids.count)
      takeRow(id, origin: origin, planned: versions, former, into: &removed)
    }
    return removed.ids.count
  }

  /// Deletes one object: see ``removeRows(_:origin:in:willRemove:)``.
  func removeRow(_ id: ObjectID) { removeRows([id]) { _ in } }

  /// Restores a deleted object that had no unsaved change: see ``restoreRows(_:origin:)``.
  func restoreRow(_ id: ObjectID, origin: RelationshipName? = nil) {
    restoreRows(RemovedRows(ids: [id]), origin: origin)
  }

  /// Deletes an object without an undo step, if it is there.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - origin: The relationship that the deletion cascaded along.
  ///   - versions: The versions that a plan expects; nil without a plan.
  ///   - former: The to-many relationships that the plan removes objects from.
  ///   - removed: What was deleted, to which the object is added as it was.
  private func takeRow(
    _ id: ObjectID, origin: RelationshipName?, planned versions: IDTable<UInt64>?,
    _ former: [ObjectID: [RelationshipEnd]], into removed: inout RemovedRows
  ) {
    let id = resolve(id)
    let was = pending[id]
    // A planned deletion stays in the request even if the row is known to be gone.
    let isPlanned = versions != nil && was == nil && !undoMemory.isDeleted(id)
    let isAlive = isAlive(id, isDeletionPending: was?.isDeleted)
    guard isAlive || isPlanned && isStored(id) else { return }
    tracking.touch(id, [], exists: isAlive)
    if let was, !was.isDeleted { tracking.keepRemoved(was, of: id) }
    if was?.isInserted == true {
      setPending(nil, for: id)
      giveUp([id])
      // Somebody else may have inserted one with its key.
      if self.isAlive(id) { touch(id, info(for: id.entityName).propertyNames) }
    } else {
      let base = was?.base ?? objects.row(of: id)
      let deletion = Deletion(
        base: base, version: versions?[id] ?? base?.version, origin: origin,
        former: former[id] ?? [])
      setPending(.deleted(deletion), for: id)
      if versions == nil { tracking.unplannedDeletions.append(id) }
    }
    removed.append(id, was)
  }

  /// Restores deleted objects, the last one first, whether their deletion was saved or not.
  ///
  /// - Parameters:
  ///   - removed: The objects.
  ///   - origin: The relationship that the deletion cascaded along, for redo.
  func restoreRows(_ removed: RemovedRows, origin: RelationshipName? = nil) {
    tracking.reserveCapacity(removed.ids.count)
    unsaved.reserveCapacity(removed.ids.count)
    var failed: Set<ObjectID> = []
    var brokenLinks: [ObjectLink] = []
    for (offset, position) in removed.ids.indices.reversed().enumerated() {
      undoHistory.showProgress(completed: offset, total: removed.ids.count)
      let id = removed.ids[position]
      if !putBack(id, as: removed.change(at: position), &brokenLinks) { failed.insert(id) }
    }
    let restored = removed.ids.selected { !failed.contains($0) }
    guard !restored.isEmpty else { return }
    undoHistory.register { [reference] in
      reference.context?.removeRows(restored, origin: origin) { _ in }
    }
    var seen: Set<ObjectLink> = []
    for link in brokenLinks where isAlive(link.source) && isAlive(link.destination) {
      guard seen.insert(link).inserted else { continue }
      setLink(link.relationshipName, from: link.source, to: link.destination, isLinked: true)
    }
  }

  /// Restores a deleted object without an undo step, and adds its links that have to be restored
  /// too; returns whether there was anything to restore.
  private func putBack(_ id: ObjectID, as was: Pending?, _ brokenLinks: inout [ObjectLink]) -> Bool
  {
    let id = resolve(id)
    let now = pending[id]
    guard !isAlive(id, isDeletionPending: now?.isDeleted) else {
      report(
        ManagedObjectError(
          .keyTaken, doing: "putting back", subject: displayName(of: id), objectIDs: [id]))
      return false
    }
    tracking.touch(id, [], exists: false)
    if case .deleted(let deletion) = now {
      for end in deletion.former where isAlive(end.id) { touch(end.id, [end.name]) }
      if case .updated(let update) = was {
        let base = deletion.base ?? update.base
        let row = base.applying(resolved(update.changes, for: id))
        setPending(.updated(RowUpdate(of: base, to: row)), for: id)
      } else {
        // What others have saved was merged into the unsaved change that the deletion replaced.
        if let base = deletion.base { cache.keep(base) }
        setPending(nil, for: id)
      }
    } else if case .inserted(let new) = was {
      setPending(.inserted(NewRow(resolved(new.row, as: id))), for: id)
    } else if let deleted = undoMemory.deletedRow(of: id) {
      var new = deleted
      if case .updated(let update) = was {
        new = NewRow(deleted.row.applying(resolved(update.changes, for: id)))
      }
      setPending(.inserted(new), for: id)
      if !new.row.toOne.isEmpty { touchInverses(of: id, from: nil, to: new.row) }
      brokenLinks += undoMemory.deletedLinks(of: id)
    } else {
      return false
    }
    return true
  }
}
