import ObjectModel

// Batch requests are written by a context of their own: it makes no object that anybody sees, calls
// no hook and records no undo, and its save is merged into this context as into all others.
extension ManagedObjectContext {
  /// Inserts objects into the store, in one transaction.
  ///
  /// The context's unsaved changes are not written. No hook of a class is called, and nothing can be
  /// undone. The rules of the model are checked, and uniqueness constraints followed as
  /// ``mergePolicy`` says. This context and its lists have the objects when it returns, other
  /// contexts when they merge, as after a save.
  ///
  /// - Parameter request: What to insert.
  /// - Returns: The objects; those that were merged into stored ones are among the updated.
  /// - Throws: ``ManagedObjectError``; nothing is written then.
  @discardableResult
  public func execute(_ request: BatchInsertRequest) throws -> BatchResult {
    let doing = "inserting a batch"
    let entity = try entity(named: request.entityName, doing: doing)
    try checkStoreWritable(entity.name, doing: doing)
    return try writingBatch { batch in
      let info = try batch.insertable(entity.name, doing: doing)
      for (offset, values) in request.objects.enumerated() {
        if offset % 1_000 == 0 { try checkCancelled(doing) }
        var row = try batch.newRow(of: info)
        row.apply(try patch(setting: values, of: entity, doing: doing))
        batch.insertRow(row)
      }
    }
  }

  /// Sets attributes of objects in the store, in one transaction.
  ///
  /// As for ``execute(_:)-(BatchInsertRequest)`` nothing else is written, no hook is called and
  /// nothing can be undone. An object that has unsaved changes of the same attributes here is in
  /// ``conflicts`` afterwards, as after the save of another context.
  ///
  /// - Parameter request: What to change.
  /// - Returns: The objects that have changed; those that had the values are left out.
  /// - Throws: ``ManagedObjectError``, or `FetchPredicateError` if the predicate does not fit the
  ///   entity; nothing is written then.
  @discardableResult
  public func execute(_ request: BatchUpdateRequest) throws -> BatchResult {
    let doing = "updating a batch"
    let entity = try entity(named: request.entityName, doing: doing)
    try checkStoreWritable(entity.name, doing: doing)
    var fetch = FetchRequest<ManagedObject>(
      entityName: request.entityName, predicate: request.predicate)
    fetch.includesSubentities = request.includesSubentities
    let plan = try fetch.plan(in: model)
    _ = try patch(setting: request.propertiesToUpdate, of: entity, doing: doing)
    return try writingBatch { batch in
      // What somebody else changes meanwhile in other attributes stays.
      batch.mergePolicy = .mergeByPropertyObjectTrump
      let ids = try batch.fetchStored(plan).ids
      for part in ids.chunks(of: Self.batchRowCount) {
        try checkCancelled(doing)
        try batch.prefetch(Array(part))
        for id in part {
          let object = batch.object(with: id)
          for (key, value) in request.propertiesToUpdate { try object.setValue(value, forKey: key) }
        }
      }
    }
  }

  /// Deletes objects from the store, in one transaction.
  ///
  /// It is one statement where the store can and nothing refers to the objects: in plain SQLite
  /// tables without triggers, and in PostgreSQL. Unlike in Core Data, delete rules are followed in
  /// full: what they deny is not deleted, and the request throws. No hook is called and nothing can
  /// be undone.
  ///
  /// - Parameter request: What to delete.
  /// - Returns: The objects that were deleted, cascades included, and those that rules have changed.
  /// - Throws: ``ManagedObjectError``, or `FetchPredicateError` if the predicate does not fit the
  ///   entity; nothing is deleted then.
  @discardableResult
  public func execute(_ request: BatchDeleteRequest) throws -> BatchResult {
    if case .fetched(let fetch) = request.selection, let ids = try deleteWithOneStatement(fetch) {
      processPendingChanges()
      var result = BatchResult()
      result.deletedObjectIDs = ids.sorted()
      return result
    }
    return try writingBatch { batch in
      batch.mergePolicy = .mergeByPropertyObjectTrump
      switch request.selection {
      case .objectIDs(let ids): try batch.delete(ids.filter { !resolve($0).isTemporary })
      case .fetched(let fetch):
        let plan = try batch.plan(of: fetch, doing: "deleting a batch")
        try batch.delete(Array(try batch.fetchStored(plan).ids))
      }
    }
  }

  /// Deletes what a request fetches without reading its rows.
  ///
  /// - Returns: The objects; nil if the store cannot do it so, or rules must be followed.
  private func deleteWithOneStatement(_ request: FetchRequest<ManagedObject>) throws -> [ObjectID]?
  {
    let doing = "deleting a batch"
    guard persistentStoreCoordinator.readOnlyReason == nil,
      let store = persistentStoreCoordinator.store.statementDeleting
    else { return nil }
    let plan = try plan(of: request, doing: doing)
    guard plan.limit == nil, plan.offset == 0 else { return nil }
    do {
      guard try store.obstacleToDeletingAll(of: plan.entityName) == nil else { return nil }
      return try persistentStoreCoordinator.deleteAll(plan, with: store)
    } catch {
      guard error.reason == .unsupported else { throw ManagedObjectError(error, doing: doing) }
      return nil
    }
  }

  /// The number of rows that are read at once.
  private static let batchRowCount = 500

  /// Saves what a closure changes in a context of its own, and merges it here.
  private func writingBatch(_ body: (ManagedObjectContext) throws -> Void) throws -> BatchResult {
    let batch = ManagedObjectContext(withoutClasses: persistentStoreCoordinator)
    batch.undoHistory.isRegistrationEnabled = false
    batch.mergePolicy = mergePolicy
    var result = BatchResult()
    let observation = batch.observe { event in
      guard case .didSave(let change) = event else { return }
      result.insertedObjectIDs = change.inserted.sorted()
      result.updatedObjectIDs = change.updated.subtracting(change.deleted).sorted()
      result.deletedObjectIDs = change.deleted.sorted()
    }
    defer { observation.cancel() }
    try body(batch)
    try batch.save()
    processPendingChanges()
    return result
  }

  /// The patch that sets attributes of any object of an entity.
  private func patch(
    setting values: [String: Value], of entity: EntityDescription, doing: String
  ) throws -> Patch {
    var patch = Patch()
    for (key, value) in values {
      guard let index = entity.attributeIndex(key) else {
        throw ManagedObjectError.unknownKey(
          key, among: entity.attributes.map(\.name), doing: doing, subject: entity.name)
      }
      let attribute = entity.attributes[index]
      guard !attribute.isReadOnly else {
        throw ManagedObjectError(
          .readOnly, doing: doing, subject: "\(entity.name).\(key)",
          detail: "the store computes it")
      }
      do { patch.values[index] = try attribute.encode(value) } catch {
        throw ManagedObjectError(
          .wrongType, doing: doing, subject: "\(entity.name).\(key)",
          detail: String(describing: error))
      }
    }
    return patch
  }
}
