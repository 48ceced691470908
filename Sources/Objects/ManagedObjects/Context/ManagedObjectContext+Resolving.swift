public import ObjectModel

// Deciding conflicts, by hand or as the merge policy says.
extension ManagedObjectContext {
  /// Resolves conflicts, each as a whole: see ``resolveConflict(of:keeping:)``.
  ///
  /// What leads to an object whose deletion is discarded, and was set to nil by that, leads to it
  /// again.
  ///
  /// - Parameters:
  ///   - resolution: Which change is kept.
  ///   - ids: The objects; those without a conflict are ignored.
  /// - Throws: As ``resolveConflict(of:keeping:)``.
  package func resolveConflicts(
    _ resolution: ContextConflict.Resolution, of ids: some Collection<ObjectID>
  ) throws {
    try resolveConflicts(
      of: ids, asFound: resolution != .takeTheirs, keepsOrder: { _ in resolution.keepsMine }
    ) { _, _ in resolution }
  }

  /// Resolves the conflict of an object property by property.
  ///
  /// An object that was changed in the store again since is left: its entry in ``conflicts`` has what
  /// is there now, so that nobody overwrites what was not shown.
  ///
  /// - Parameters:
  ///   - id: The object; one without a conflict is ignored.
  ///   - names: Those of the conflict's properties that stay as they are here; the next save writes
  ///     them. The others become as they are in the store. Of an object that was deleted, here or
  ///     there, any name keeps the whole unsaved change.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read, or an object is to be kept whose
  ///   row was deleted before its long values were read.
  public func resolveConflict(of id: ObjectID, keeping names: Set<String>) throws {
    try resolveConflicts(of: [id], asFound: true, keepsOrder: names.contains) { pending, row in
      guard case .updated(let update) = pending, let row else {
        return names.isEmpty ? .takeTheirs : .keepMine
      }
      let info = info(for: row.id.entityName)
      let mine = leavingOutDeleted(update.current, keeping: row)
      let kept = Patch(overwriting: row, with: mine).only(names, in: info)
      setUpdated(row.id, row.applying(kept), on: row)
      return nil
    }
  }

  /// Resolves all conflicts as the merge policy says.
  func followMergePolicy() throws {
    guard !conflicts.isEmpty, let resolution = mergePolicy.resolution else { return }
    try resolveConflicts(
      of: conflicts.keys.sorted(), asFound: false, keepsOrder: { _ in resolution.keepsMine }
    ) { _, _ in resolution }
  }

  /// Resolves conflicts.
  ///
  /// - Parameters:
  ///   - ids: The objects; those without a conflict are ignored.
  ///   - asFound: Whether a conflict stays if the store has changed since it was found.
  ///   - keepsOrder: Whether the order of a relationship stays as it is here.
  ///   - decide: Returns how to resolve the conflict of an unsaved change with the present row, nil
  ///     if it was deleted; nil if the closure has resolved it.
  /// - Throws: As ``resolveConflict(of:keeping:)``.
  private func resolveConflicts(
    of ids: some Collection<ObjectID>, asFound: Bool, keepsOrder: (String) -> Bool,
    _ decide: (Pending, RowSnapshot?) throws -> ContextConflict.Resolution?
  ) throws {
    let ids = ids.map(resolve)
    let disputed = ids.filter(unsaved.isDisputed)
    let found = try storedRows(of: disputed)
    let nullified = unsaved.nullified
    var kept: Set<ObjectID> = []
    var merge = StoreMerge(self)
    for id in ids where try resolveOrders(of: id, asFound: asFound, isKept: keepsOrder) {
      merge.change.refreshed.insert(id)
    }
    for id in disputed {
      guard let was = pending[id], let conflict = unsaved.conflicts[id] else { continue }
      let row = found[id]
      if asFound, conflict.newVersion != row?.version {
        merge.merge(row, for: id)
        continue
      }
      touch(id, changedKeys(of: id))
      if let resolution = try decide(was, row) { try settle(was, of: id, with: row, resolution) }
      if was.isDeleted, pending[id] == nil, row != nil { kept.insert(id) }
      if let before = was.current {
        touchInverses(of: id, from: before, to: pending[id]?.current ?? objects.row(of: id))
      }
      unsaved.removeConflict(of: id)
      // It is as it was just read.
      tracking.outdated.remove(id)
    }
    try restoreReferences(to: kept, nullified: nullified)
    // What an object leads to may be deleted here.
    try followDeleteRules()
    processPendingChanges()
    if !merge.change.isEmpty { notify(.refreshed(merge.change)) }
  }

  /// Resolves the conflict of an unsaved change with the present row of the store; nil if that was
  /// deleted.
  private func settle(
    _ was: Pending, of id: ObjectID, with row: RowSnapshot?,
    _ resolution: ContextConflict.Resolution
  ) throws {
    switch (resolution, was, row) {
    case (.keepMyObject, .updated(let update), let row?):
      let mine = leavingOutDeleted(update.current, keeping: row)
      setUpdated(id, row.applying(Patch(overwriting: row, with: mine)), on: row)
    case (.keepMine, _, let row), (.keepMyObject, _, let row):
      try rebase(was, of: id, onto: row)
    case (.keepTheirProperties, .updated(let update), let row?):
      let mine = update.changes.without(Patch(from: update.base, to: row))
      setUpdated(id, row.applying(mine), on: row)
    case (.takeTheirs, _, let row), (.keepTheirProperties, _, let row):
      setPending(nil, for: id)
      if let row { take(row) } else { cache.setMissing(id) }
    }
  }

  /// Removes from a row the to-one references to objects that an earlier save of this context
  /// deleted: the row was read before, and the delete rules did not reach it.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - present: The row in the store, whose references replace those that are removed; nil sets
  ///     them to nil.
  /// - Returns: The row with the remaining references.
  private func leavingOutDeleted(_ row: RowSnapshot, keeping present: RowSnapshot?) -> RowSnapshot {
    var row = row
    for index in row.toOne.indices {
      guard let destination = row.destination(at: index), !pending.contains(destination),
        isDeletedHere(destination)
      else { continue }
      row.apply(referencePatch(index, to: present?.destination(at: index), of: row.id, row))
    }
    return row
  }

  private func rebase(_ was: Pending, of id: ObjectID, onto row: RowSnapshot?) throws {
    switch (was, row) {
    case (.updated(let update), let row?):
      setUpdated(id, row.applying(update.changes), on: row)
    case (.updated(let update), nil):
      // The row was deleted: keeping mine inserts it again with its key.
      let current = update.current
      guard current.isWhole else {
        let names = current.cutLengths.keys.sorted().map {
          info(for: id.entityName).entity.attributes[$0].name
        }
        throw ManagedObjectError(
          .gone, doing: "keeping \(displayName(of: id))",
          detail: "it was deleted before \(names.joined(separator: ", ")) was read in full",
          remedy: "take theirs, or set it first", objectIDs: [id])
      }
      cache.setMissing(id)
      setPending(.inserted(NewRow(leavingOutDeleted(current, keeping: nil))), for: id)
      planDeletionsAgain(of: current)
    case (.deleted(let deletion), let row?):
      setPending(
        .deleted(Deletion(base: row, version: row.version, origin: deletion.origin)), for: id)
    case (.deleted, nil):
      setPending(nil, for: id)
      cache.setMissing(id)
    case (.inserted, _): break
    }
  }
}

extension ContextConflict.Resolution {
  /// Whether it writes what is in conflict as it is here.
  fileprivate var keepsMine: Bool { self == .keepMine || self == .keepMyObject }
}
