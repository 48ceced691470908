public import ObjectModel

extension ManagedObjectContext {
  /// Deletes an object; its delete rules are followed when changes are processed.
  ///
  /// - Parameter object: The object; nothing happens if it is deleted already.
  /// - Throws: ``ManagedObjectError`` when it cannot be changed.
  @_disfavoredOverload  // CoreDataNames has one that does not throw.
  public func delete(_ object: ManagedObject) throws {
    try delete([object.objectID])
  }

  /// Deletes objects by ID; their delete rules are followed when changes are processed.
  ///
  /// - Parameter ids: The objects; those that no longer exist are left out.
  /// - Throws: ``ManagedObjectError`` when one cannot be changed; none is deleted then.
  public func delete(_ ids: [ObjectID]) throws {
    let ids = alive(resolved(ids))
    try checkWritable(ids)
    try deleteUnsaved(ids)
  }

  /// Deletes an object also if the store is read-only: the save is refused, as in Core Data.
  package func deleteUnsaved(_ object: ManagedObject) throws {
    try checkWritable(object.info, doing: "deleting")
    try deleteUnsaved(alive(resolved([object.objectID])))
  }

  /// Deletes objects that exist and can be changed.
  private func deleteUnsaved(_ ids: [ObjectID]) throws {
    prepareForDeletion(ids)
    try keepingOrders(of: orderedEnds(of: ids)) {
      suggestDeletion(of: ids)
      for id in ids where isAlive(id) {
        removeRow(id)
        // An unsaved new object has no pending deletion, but its delete rules apply too.
        if !pending.contains(id) { tracking.unplannedDeletions.append(id) }
      }
    }
  }

  /// Plans a deletion, without changing anything.
  ///
  /// - Parameters:
  ///   - ids: The objects.
  ///   - leavingOutDenied: Whether objects whose deletion a delete rule denies, or cascades to one
  ///     that it denies, are left out, so that the others can be deleted: see
  ///     ``DeletionPlan/refused``.
  /// - Returns: What would be deleted, nullified and denied, unsaved changes included: one query
  ///   for each relationship and generation, at most two if objects are left out, and the versions
  ///   of the rows in batches.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  package func deletionPlan(for ids: [ObjectID], leavingOutDenied: Bool = false) throws
    -> DeletionPlan
  {
    let ids = alive(resolved(ids))
    if ids.isEmpty { return DeletionPlan() }
    var planner = DeletionPlanner(self)
    return try planner.plan(deleting: ids, leavingOutDenied: leavingOutDenied)
  }

  /// The number of rows that are read together and kept: smaller than the row cache, so that none
  /// is evicted before it is used.
  static let batchSize = 500
  /// The number of rows that are read together and not kept.
  private static let unkeptBatchSize = 4_000

  /// Plans the deletions whose delete rules have not been followed, and carries out the rest of the
  /// plan.
  func followDeleteRules() throws {
    let ids = tracking.unplannedDeletions.filter { !isAlive($0) }
    guard !ids.isEmpty else {
      tracking.unplannedDeletions = []
      return
    }
    var plan = DeletionPlan()
    // A hook may change what the rules apply to.
    try untilUnchanged(calling: "prepareForDeletion") {
      let ids = tracking.unplannedDeletions.filter { !isAlive($0) }
      var planner = DeletionPlanner(self)
      plan = try planner.plan(deleting: ids)
      prepareForDeletion(plan.cascaded.flatMap(\.ids))
    }
    try apply(plan)
    tracking.unplannedDeletions = []
    tracking.prepared = []
  }

  /// Repeats calls of a hook of objects until they change nothing.
  ///
  /// - Throws: ``ManagedObjectError`` if objects still change after a hundred times.
  func untilUnchanged(calling hook: String, _ body: () throws -> Void) throws {
    let passes = 100
    for _ in 0..<passes {
      let revision = unsaved.revision
      try body()
      if unsaved.revision == revision { return }
    }
    throw ManagedObjectError(
      .validation, doing: saveDoing,
      detail: "objects still change after \(hook) was called \(passes) times",
      remedy: "set a value in \(hook) only if it differs")
  }

  /// Calls the hook of objects that are about to be deleted, of entities that have a class; once
  /// for each deletion.
  func prepareForDeletion(_ ids: [ObjectID]) {
    for id in hooked(ids) where isAlive(id) {
      if tracking.prepared.insert(id).inserted { object(with: id).prepareForDeletion() }
    }
  }

  /// Deletes and nullifies what a plan says, and nothing else.
  ///
  /// Objects that were changed since have the version of the plan, so that the store refuses them.
  func apply(_ plan: DeletionPlan) throws {
    let count = plan.direct.count + plan.cascaded.reduce(0) { $0 + $1.ids.count }
    tracking.reserveCapacity(count)
    unsaved.reserveCapacity(count)
    var removed = 0
    let living = alive(plan.deleted)
    try keepingOrders(of: orderedEnds(of: living)) {
      suggestDeletion(of: plan.cascaded.isEmpty ? living : alive(plan.direct))
      var completed = 0
      func remove(_ ids: [ObjectID], origin: RelationshipName?) throws {
        removed += try removeRows(ids, origin: origin, in: plan) { offset in
          guard offset % Self.batchSize == Self.batchSize - 1 else { return }
          try checkCancelled("deleting", completed: completed + offset, total: count)
        }
        completed += ids.count
      }
      try remove(plan.direct, origin: nil)
      for effect in plan.cascaded { try remove(effect.ids, origin: effect.relationship) }
    }
    unsaved.expect(plan, of: removed == count ? [] : plan.deleted)
    for end in Set(plan.former.values.joined()) where isAlive(end.id) {
      touch(end.id, [end.name])
    }
    if !links.isEmpty { plan.deleted.forEach(dropAddedLinks) }
    guard !plan.nullified.isEmpty else { return }
    let deleted = Set(plan.deleted)
    for effect in plan.nullified { try nullify(effect, in: plan, deleted: deleted) }
  }

  /// The denials of the unsaved deletions.
  func standingDenials() -> [DeletionPlan.Denial] {
    destinationsOfDeleted { $0.description.deleteRule == .deny }.flatMap {
      DeletionPlan.Denial.all(of: $0, $1, where: isAlive)
    }
  }

  /// Where relationships lead from the objects whose deletion is not saved, by source.
  func destinationsOfDeleted(by isIncluded: (RelationshipInfo) -> Bool)
    -> [(relationship: RelationshipInfo, contents: [ObjectID: [ObjectID]])]
  {
    unsaved.expectedDestinations.sorted { $0.key < $1.key }.compactMap { name, stored in
      guard let relationship = info(for: name.entityName).relationships[name.name],
        isIncluded(relationship)
      else { return nil }
      let sources = stored.keys.filter { pending.isDeleted($0) == true }
      return (relationship, destinationIDs(of: relationship, from: sources, stored: stored))
    }
  }

  /// The version of a row that an unsaved change is based on; nil if it is not in the store.
  func version(of row: RowSnapshot) -> UInt64? {
    guard isStored(row.id) else { return nil }
    if let pending = pending[row.id] { return pending.version ?? row.version }
    // A removed row without a pending deletion was new: only the row of an undone deletion.
    return tracking.removedRow(of: row.id) == nil ? row.version : nil
  }

  /// The version of an object's row as it was last read.
  ///
  /// - Parameter id: The object.
  /// - Returns: The version; nil if the row was not read or is not in the store.
  package func knownVersion(of id: ObjectID) -> UInt64? {
    let id = resolve(id)
    if let pending = pending[id] { return pending.version }
    return objects.row(of: id)?.version
  }

  /// Reads the versions of rows, in batches where they were not read before; these are not kept.
  ///
  /// - Parameters:
  ///   - ids: The objects; deleted ones have the row they had before.
  ///   - body: Called with each row that exists, which may have no values.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read; what `body` throws.
  func readVersions(of ids: [ObjectID], _ body: (RowSnapshot) throws -> Void) throws {
    for batch in ids.chunks(of: Self.unkeptBatchSize) {
      var unread: [ObjectID] = []
      for id in batch {
        let known = tracking.removedRow(of: id) ?? pending[id]?.current ?? pending[id]?.base
        if let row = known ?? objects.row(of: id) {
          try body(row)
        } else if isStored(id) {
          unread.append(id)
        }
      }
      guard !unread.isEmpty else { continue }
      try checkCancelled("reading objects", completed: batch.startIndex, total: ids.count)
      let rows = try reading("reading \(unread.count) objects") { store throws(StoreError) in
        try store.rowVersions(of: unread)
      }
      for case let row? in rows { try body(row) }
    }
  }

  /// Whether an object has a row in the store, as far as is known without asking it.
  func isStored(_ id: ObjectID) -> Bool {
    !id.isTemporary && pending[id]?.isInserted != true && !reserved.contains(id)
  }

  private func suggestDeletion(of ids: [ObjectID]) {
    for (entityName, ids) in DeletionPlanner.byEntity(ids) {
      undoHistory.suggest(
        ActionSuggestion(
          verb: .delete, entityName: entityName, name: displayName(of: ids[0]), count: ids.count))
    }
  }

  private func nullify(
    _ effect: DeletionPlan.Effect, in plan: DeletionPlan, deleted: Set<ObjectID>
  ) throws {
    for (offset, id) in effect.ids.enumerated() {
      if offset % Self.batchSize == 0 {
        try prefetch(effect.ids[offset..<min(offset + Self.batchSize, effect.ids.count)])
      }
      guard let index = toOneIndex(effect.relationship.name, of: id),
        let row = try row(of: id, leadingTo: deleted, at: index)
      else { continue }
      try patch(id, nullification(index, of: id, row))
      if let version = plan.version(of: id) { unsaved.setVersion(version, of: id) }
    }
  }

  /// The patch by which the deletion of its destination sets a to-one relationship to nil, or to
  /// the default of its foreign key.
  private func nullification(_ index: Int, of id: ObjectID, _ row: RowSnapshot) -> Patch {
    info(for: id.entityName).toOne[index].inverse?.deleteRule == .setDefault
      ? defaultPatch(index, on: row) : referencePatch(index, to: nil, of: id, row)
  }

  /// Lets the relationships lead to some objects again that their deletion has nullified, unless
  /// they were changed since, here or in the store.
  ///
  /// - Parameters:
  ///   - kept: Objects whose deletion was taken back.
  ///   - nullified: What the unsaved deletions have nullified.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  func restoreReferences(to kept: Set<ObjectID>, nullified: [DeletionPlan.Effect]) throws {
    guard !kept.isEmpty else { return }
    try undoHistory.withoutRegistration {
      for effect in nullified {
        for id in effect.ids {
          guard case .updated(let update) = pending[id],
            let index = toOneIndex(effect.relationship.name, of: id),
            let destination = update.base.destination(at: index), kept.contains(destination)
          else { continue }
          let nullification = nullification(index, of: id, update.base)
          if nullification.changing(update.current).isEmpty {
            try patch(id, nullification.inverse(on: update.base))
          }
        }
      }
    }
  }

  /// The row of an object whose to-one relationship leads to a deleted object in the store, read
  /// again if it was read before somebody set that.
  ///
  /// - Returns: The row; nil for one that was deleted or has a different destination by now, and so
  ///   differs from the expected ones.
  private func row(of id: ObjectID, leadingTo deleted: Set<ObjectID>, at index: Int) throws
    -> RowSnapshot?
  {
    func leads(_ row: RowSnapshot) -> Bool {
      row.destination(at: index).map { deleted.contains($0) } ?? false
    }
    guard let row = currentRow(of: id) else { return nil }
    if leads(row) { return row }
    guard !pending.contains(id), let present = try storedRows(of: [id])[id], leads(present) else {
      return nil
    }
    touch(id, Patch(from: row, to: present).names(in: info(for: id.entityName)))
    cache.keep(present)
    return present
  }

  private func dropAddedLinks(of id: ObjectID) {
    for relationship in info(for: id.entityName).relationships.values
    where relationship.kind == .links {
      for other in links[RelationshipEnd(id, relationship.name)]?.added ?? [] {
        setLink(relationship.name, from: id, to: other, isLinked: false)
      }
    }
  }
}
