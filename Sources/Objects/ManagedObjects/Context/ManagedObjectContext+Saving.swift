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
        try UniquenessConflicts(of: self).merge()
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
      attempt { error.constraintConflicts = try UniquenessConflicts(of: self).all() }
      let named = Set(error.objectIDs)
      error.objectIDs += error.constraintConflicts.flatMap(\.conflictingObjectIDs)
        .filter { !named.contains($0) }
      attempt { try DeletedDestinations(of: self).name(in: &error) }
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
    do { try ChangeValidation(of: self).validate() } catch {
      refused.removeUncorrectable()
      throw error
    }
    guard hasChanges else {
      // A plan may delete nothing but new objects.
      processWithoutResult()
      return TriggerEffects()
    }
    let hookedObjects = hooked(insertedObjectIDs + updatedObjectIDs + deletedObjectIDs).map(object)
    var result = SaveResult()
    if !unsaved.isStored {
      let request = try SaveRequestMaker(self).make()
      result = try reading(request.phrase) { _ throws(StoreError) in
        try persistentStoreCoordinator.save(request, from: inbox, changedKeys: savedKeys)
      }
    }
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

  /// What a save would write now: what `PersistentStore.rehearse(_:)` takes.
  ///
  /// - Parameter plan: A deletion to save with the unsaved changes; nothing is deleted.
  /// - Returns: The request; changes were processed first.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  package func saveRequest(deleting plan: DeletionPlan = DeletionPlan()) throws -> SaveRequest {
    processPendingChanges()
    return try assuming(plan) { try SaveRequestMaker(self).make() }
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
      try ChangeValidation(of: self).validate()
      return try SaveRequestMaker(self).make()
    }
    do {
      return try reading(request.phrase) { store throws(StoreError) in try store.rehearse(request) }
    } catch { throw withConflicts(error) }
  }

  var saveDoing: String { SaveRequest.phrase(count: pending.count) }
}
