public import ObjectModel

extension ManagedObjectContext {
  /// Writes all unsaved changes in one transaction; does nothing when there are none.
  ///
  /// - Returns: What triggers of the store did in addition.
  /// - Throws: ``ManagedObjectError``, or what an object's own validation throws; nothing is
  ///   written then and every change stays. What a setter that cannot throw could not set is one of
  ///   its problems, until it is set, or the object is discarded or deleted, or something is undone.
  ///   A conflict is resolved as ``mergePolicy`` says; if that is `error`, ``conflicts`` says
  ///   afterwards what changed in the store.
  @discardableResult
  public func save() throws -> TriggerEffects {
    try prepareToSave()
    var attempts = 0
    while true {
      do {
        try followMergePolicy()
        try mergeUniquenessConflicts()
        return try write()
      } catch {
        mergeDifference(of: error)
        attempts += 1
        guard attempts < Self.mergeAttempts, try canRetry(after: error) else {
          throw withConflicts(error)
        }
      }
    }
  }

  /// The error of a save with the conflicts that caused it.
  private func withConflicts(_ error: any Error) -> any Error {
    guard var error = error as? ManagedObjectError else { return error }
    if error.reason == .conflict {
      error.mergeConflicts = Set(error.objectIDs).sorted().compactMap { conflicts[$0] }
    } else if error.storeError?.reason == .constraint {
      attempt { error.constraintConflicts = try constraintConflicts() }
      let named = Set(error.objectIDs)
      error.objectIDs += error.constraintConflicts.flatMap(\.conflictingObjectIDs)
        .filter { !named.contains($0) }
      attempt { try nameDeletedDestinations(in: &error) }
    }
    return error.withObjects(of: self)
  }

  /// How often a save merges what others have saved meanwhile before it gives up.
  private static let mergeAttempts = 100

  /// Deletes what a plan says and writes it with all unsaved changes, in one transaction.
  ///
  /// Exactly the plan's objects are deleted and nullified; the delete rules are not followed again,
  /// and ``mergePolicy`` has no effect.
  /// Undo brings them back.
  ///
  /// - Parameters:
  ///   - plan: The deletion, as it was shown. An empty one saves the unsaved changes alone.
  ///   - actionName: The name of the undo group; nil names it after what is deleted.
  /// - Returns: What triggers of the store did in addition.
  /// - Throws: ``ManagedObjectError``, or what an object's own validation throws; nothing is
  ///   written or deleted then. A conflict, whose ``ManagedObjectError/storeError`` has the
  ///   difference, when the store changed since the plan was made: then plan again.
  @discardableResult
  package func save(deleting plan: consuming DeletionPlan, actionName: String? = nil) throws
    -> TriggerEffects
  {
    guard !plan.direct.isEmpty else { return try save() }
    var plan = plan
    try checkWritable(plan.direct)
    try prepareToSave()
    do {
      return try unchangedIfItThrows {
        try undoHistory.group(named: actionName) {
          prepareForDeletion(plan.deleted)
          try carryOut(plan)
          callWillSave(ofDeleted: plan.deleted)
          try followDeleteRules()
        }
        // What is saved has taken it over; of very many objects it is large.
        plan = DeletionPlan()
        return try write()
      }
    } catch {
      mergeDifference(of: error)
      throw withConflicts(error)
    }
  }

  private func prepareToSave() throws {
    notify(.willSave)
    // Rules that could not be followed keep the save from being made; later they are followed
    // again.
    try followDeleteRules()
    try callWillSave()
    processWithoutResult()
  }

  /// Calls the hook of all objects with changes until none of them changes anything.
  private func callWillSave() throws {
    guard !classes.isEmpty else { return }
    try untilUnchanged(calling: "willSave") {
      for id in hooked(insertedObjectIDs + updatedObjectIDs) where isAlive(id) {
        object(with: id).willSave()
      }
      callWillSave(ofDeleted: deletedObjectIDs)
      try followDeleteRules()
    }
  }

  /// Calls the hook of objects that are deleted; what it sets in any that is, is ignored, as by Core
  /// Data.
  private func callWillSave(ofDeleted ids: @autoclosure () -> [ObjectID]) {
    let before = refused
    for id in hooked(ids()) where pending.isDeleted(id) == true { object(with: id).willSave() }
    refused.restore(from: before) { pending.isDeleted($0) == true }
  }

  private func write() throws -> TriggerEffects {
    do { try validateChanges() } catch {
      refused.removeUncorrectable()
      throw error
    }
    guard hasChanges else {
      // A plan may delete nothing but new objects.
      processWithoutResult()
      return TriggerEffects()
    }
    let hookedObjects = hooked(insertedObjectIDs + updatedObjectIDs + deletedObjectIDs).map(object)
    let result = try unsaved.isStored ? SaveResult() : saved(unsavedRequest())
    refused.removeAll()
    let isObserved = !observers.isEmpty
    // The deletions of a plan are reported only now that they are certain.
    let changed = takeTouches(isWanted: isObserved)
    tracking.forgetRemovedRows()
    let change = absorb(result, isObserved: isObserved)
    for object in hookedObjects { object.didSave() }
    if !changed.isEmpty { notify(.changed(changed)) }
    notify(.didSave(change))
    return result.triggerEffects
  }

  /// Saves a request, which of many objects is too large to be kept longer.
  private func saved(_ request: SaveRequest) throws -> SaveResult {
    try reading(request.phrase) { _ throws(StoreError) in
      try persistentStoreCoordinator.save(request, from: inbox, changedKeys: savedKeys)
    }
  }

  /// What a save would write now: what `PersistentStore.rehearse(_:)` takes.
  ///
  /// - Parameter plan: A deletion to save with the unsaved changes; nothing is deleted.
  /// - Returns: The request; changes were processed first.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  package func saveRequest(deleting plan: DeletionPlan = DeletionPlan()) throws -> SaveRequest {
    processPendingChanges()
    return try assuming(plan, unsavedRequest)
  }

  /// Makes the checks of a save, and has the store run it and roll it back.
  ///
  /// - Parameter plan: A deletion to save with the unsaved changes; nothing is deleted.
  /// - Returns: The statements with which the save would write, and what triggers would do.
  /// - Throws: What the save would throw.
  package func rehearseSave(deleting plan: DeletionPlan = DeletionPlan()) throws
    -> SaveRehearsal
  {
    try checkWritable(plan.direct)
    processPendingChanges()
    let request = try assuming(plan) {
      try validateChanges()
      return try unsavedRequest()
    }
    do {
      return try reading(request.phrase) { store throws(StoreError) in try store.rehearse(request) }
    } catch { throw withConflicts(error) }
  }

  private func unsavedRequest() throws -> SaveRequest {
    var request = SaveRequest()
    request.inserted.reserveCapacity(unsaved.counts.inserted)
    request.updated.reserveCapacity(unsaved.counts.updated)
    request.deleted.reserveCapacity(unsaved.counts.deleted)
    for (offset, (id, change)) in pending.sorted.enumerated() {
      if offset % 1_000 == 0 { try checkCancelled(saveDoing) }
      switch change {
      case .inserted(let new): request.inserted.append(try insertion(of: new.row))
      case .updated(let update):
        request.updated.append(
          try rowChange(id, update.changes, version: update.base.version))
      case .deleted(let deletion):
        request.deleted.append(RowDeletion(id: id, version: deletion.version))
      }
    }
    for (relationship, stored) in unsaved.expectedDestinations {
      let isWhole = stored.keys.allSatisfy { pending.isDeleted($0) == true }
      // A copy of the whole dictionary costs nothing.
      let deleted = isWhole ? stored : stored.filter { pending.isDeleted($0.key) == true }
      if !deleted.isEmpty { request.expectedDestinations[relationship] = deleted }
    }
    request.selection = unsaved.selection
    request.returnsDeletedRows = undoHistory.isRegistrationEnabled
    // The context keeps no more rows than these of so many objects.
    if unsaved.counts.inserted + unsaved.counts.updated > objects.rowCapacity {
      request.returnedRows = unsaved.referencedIDs()
    }
    try addLinks(to: &request)
    addExpectedOrders(to: &request)
    return request
  }

  private func insertion(of row: RowSnapshot) throws -> RowChange {
    let id = row.id
    let info = info(for: id.entityName)
    let isRestored = !id.isTemporary && !reserved.contains(id)
    let missing = undoMemory.missingDestinations(of: id)
    let unset = info.unset(in: row)
    guard info.isStoredWhole, row.isWhole, row.values.count == info.attributeNames.count,
      !info.awaitsKey(row)
    else {
      var change = try rowChange(
        id, Patch(toNew: row, unset: unset, isRestored: isRestored), version: nil)
      change.otherColumns = row.otherColumns
      change.missingDestinations = missing
      return change
    }
    var toOne: [String: ObjectID?] = [:]
    for (index, relationship) in info.toOne.enumerated()
    where relationship.description.foreignKeyAttributes.isEmpty {
      let destination = row.destination(at: index)
      if isRestored || destination != nil { toOne[relationship.name] = .some(destination) }
    }
    return RowChange(
      id: id,
      values: ChangedValues(row: row.values, names: info.attributeNames, unset: unset),
      toOne: toOne, otherColumns: row.otherColumns, missingDestinations: missing)
  }

  private func rowChange(_ id: ObjectID, _ patch: Patch, version: UInt64?) throws -> RowChange {
    let info = info(for: id.entityName)
    var change = RowChange(id: id, version: version)
    var values: [String: Value] = [:]
    values.reserveCapacity(patch.values.count)
    for (index, value) in patch.values where !info.entity.attributes[index].isReadOnly {
      values[info.entity.attributes[index].name] =
        patch.cutLengths[index] == nil ? value : try wholeValue(at: index, of: id)
    }
    for (index, destination) in patch.toOne {
      let relationship = info.toOne[index].description
      if !relationship.foreignKeyAttributes.isEmpty {
        // The foreign keys say it all, but while the destination has no key yet.
        guard let destination, destination.isTemporary else { continue }
        for name in relationship.foreignKeyAttributes { values[name] = nil }
      }
      change.toOne[relationship.name] = .some(destination)
    }
    change.values = ChangedValues(values)
    return change
  }

  /// Adds the unsaved links of many-to-many and ordered relationships.
  func addLinks(to request: inout SaveRequest) throws {
    for end in Set(links.keys).union(unsaved.orders.keys).sorted() {
      guard let relationship = info(for: end.id.entityName).relationships[end.name],
        pending.isDeleted(end.id) != true || links[end]?.removed.isEmpty == false
      else { continue }
      let change = links[end] ?? LinkChange()
      if unsaved.orders[end] != nil, pending.isDeleted(end.id) != true {
        try reorder(end, relationship, change, in: &request)
      } else if unsaved.orders[end] == nil, !isOrderedElsewhere(relationship, change) {
        request.unlinked += change.removed.sorted().compactMap { link(end, $0, relationship) }
        // An object that was deleted elsewhere stays in the request, which the store refuses.
        request.linked += change.added.filter {
          isAlive($0)
            || !$0.isTemporary && !pending.contains($0) && !undoMemory.isDeleted($0)
        }.compactMap { link(end, $0, relationship) }
      }
    }
  }

  /// Writes the order of an ordered relationship: deletes all links and inserts them in order.
  ///
  /// Of a to-many that is stored in its inverse only the order is written; of one that has only lost
  /// objects, or gained some at its end, only these.
  private func reorder(
    _ end: RelationshipEnd, _ relationship: RelationshipInfo, _ change: LinkChange,
    in request: inout SaveRequest
  ) throws {
    let contents = try contents(of: relationship, from: [end.id])[end.id] ?? []
    if relationship.kind == .links, let order = unsaved.orders[end],
      !order.isReordered(to: contents)
    {
      request.unlinked += change.removed.sorted().map { ObjectLink(end.name, from: end.id, to: $0) }
      request.linked += contents.filter(change.added.contains).map {
        ObjectLink(end.name, from: end.id, to: $0)
      }
      return
    }
    if relationship.kind == .links {
      let stored = contents.filter { !change.added.contains($0) } + change.removed.sorted()
      request.unlinked += stored.map { ObjectLink(end.name, from: end.id, to: $0) }
    }
    request.linked += contents.map { ObjectLink(end.name, from: end.id, to: $0) }
  }

  /// Whether these links are written from the other end, because its order changed.
  private func isOrderedElsewhere(_ relationship: RelationshipInfo, _ change: LinkChange) -> Bool {
    guard let inverse = relationship.inverse, inverse.isOrdered else { return false }
    return (change.added + change.removed).allSatisfy {
      unsaved.orders[RelationshipEnd($0, inverse.name)] != nil
    }
  }

  private func link(_ end: RelationshipEnd, _ id: ObjectID, _ relationship: RelationshipInfo)
    -> ObjectLink?
  {
    if let inverse = relationship.inverse {
      if unsaved.orders[RelationshipEnd(id, inverse.name)] != nil { return nil }
      if relationship.isSymmetric {
        guard end.id == id || end.id < id else { return nil }
      } else if !relationship.isCanonical {
        return nil
      }
    }
    return ObjectLink(end.name, from: end.id, to: id)
  }
}
