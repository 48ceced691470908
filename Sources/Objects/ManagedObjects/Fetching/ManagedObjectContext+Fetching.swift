public import ObjectModel

extension ManagedObjectContext {
  /// Fetches objects; their rows are read in batches when they are first accessed.
  ///
  /// - Parameter request: What to fetch. Its class is registered for the entity if none is.
  /// - Returns: The objects in order; those whose rows are not cached are faults.
  /// - Throws: ``ManagedObjectError`` if the store cannot be read or the entity has another class;
  ///   `FetchPredicateError` if the predicate does not fit the entity.
  public func fetch<Object>(_ request: FetchRequest<Object>) throws -> [Object] {
    registerIfNeeded(Object.self, forEntity: request.entityName)
    let ids = try fetchIDs(request).ids
    noteExisting(ids)
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      try prefetch(relationships: request.relationshipKeyPathsForPrefetching, of: Array(ids))
    }
    let batchSize = request.fetchBatchSize > 0 ? request.fetchBatchSize : 1_000
    return try makeObjects(ids, batchSize: batchSize).map {
      try $0.typed(doing: "fetching \(request.entityName)")
    }
  }

  /// Fetches the first object of a request.
  ///
  /// - Parameter request: What to fetch; its limit is ignored.
  /// - Returns: The object; nil if none matches.
  /// - Throws: As ``fetch(_:)-(FetchRequest<Object>)``.
  public func fetchOne<Object>(_ request: FetchRequest<Object>) throws -> Object? {
    var request = request
    request.fetchLimit = 1
    return try fetch(request).first
  }

  /// Fetches the IDs of the objects that a request finds, without reading them.
  ///
  /// - Parameter request: What to fetch.
  /// - Returns: The IDs in order, with unsaved changes unless the request excludes them.
  /// - Throws: As ``fetch(_:)-(FetchRequest<Object>)``.
  public func fetchIDs<Object>(_ request: FetchRequest<Object>) throws -> FetchedIDs {
    let plan = try plan(of: request, doing: "fetching")
    if request.includesPendingChanges { return try fetchIDs(plan) }
    return try fetchStored(plan)
  }

  /// Fetches ordered IDs and sections, with unsaved changes laid over the store's results.
  ///
  /// - Parameter plan: What to fetch.
  /// - Returns: The IDs in order. Without unsaved changes these are the store's results.
  /// - Throws: ``ManagedObjectError``.
  package func fetchIDs(_ plan: FetchPlan) throws -> FetchedIDs {
    guard let overlay = try FetchOverlay(self, plan) else { return try fetchStored(plan) }
    return try overlay.laid(over: fetchStored(overlay.widenedPlan), isWidened: true)
  }

  /// Lays unsaved changes over results that were fetched from the store directly.
  ///
  /// - Parameters:
  ///   - fetched: The store's results for the plan.
  ///   - plan: The plan.
  /// - Returns: The results with unsaved changes. With a limit or offset and unsaved changes that
  ///   alter the results, they are fetched again: rows beyond the limit may belong in them now.
  /// - Throws: ``ManagedObjectError``.
  package func overlay(_ fetched: FetchedIDs, for plan: FetchPlan) throws -> FetchedIDs {
    guard let overlay = try FetchOverlay(self, plan) else { return fetched }
    if plan.limit != nil || plan.offset > 0 { return try fetchIDs(plan) }
    return try overlay.laid(over: fetched, isWidened: false)
  }

  /// Lays unsaved changes over neighbouring rows of a list.
  ///
  /// - Parameters:
  ///   - rows: Rows of the store in the plan's order, without gaps.
  ///   - plan: The plan of the list, without its limit and start.
  ///   - open: At which ends the list may have other rows.
  /// - Returns: The rows with unsaved changes.
  /// - Throws: ``ManagedObjectError``.
  package func overlay(_ rows: FetchedIDs, for plan: FetchPlan, open: OpenEnds) throws -> FetchedIDs
  {
    guard let overlay = try FetchOverlay(self, plan) else { return rows }
    return try overlay.laid(over: rows, isWidened: false, open: open)
  }

  /// The objects that unsaved changes may have inserted into a list, removed from it or moved in it.
  package func changedIDs(in plan: FetchPlan) throws -> Set<ObjectID> {
    Set(try FetchOverlay(self, plan)?.changed ?? [])
  }

  /// The number of objects that unsaved changes add to a list, less those that they take away; nil if
  /// only the store could say which of them it has.
  package func addedCount(in plan: FetchPlan) throws -> Int? {
    guard let overlay = try FetchOverlay(self, plan) else { return 0 }
    return plan.predicate == nil ? overlay.addedCount : nil
  }

  /// Counts the objects that a fetch would return, without reading them.
  ///
  /// - Parameter request: What to count.
  /// - Returns: The number of objects, with unsaved changes unless the request excludes them.
  /// - Throws: As ``fetch(_:)-(FetchRequest<Object>)``.
  public func count<Object>(for request: FetchRequest<Object>) throws -> Int {
    let plan = try plan(of: request, doing: "counting")
    if request.includesPendingChanges { return try count(for: plan) }
    return try countStored(plan)
  }

  /// Counts the objects that a fetch would return, unsaved changes included.
  ///
  /// - Parameter plan: What to count.
  /// - Returns: The number of objects.
  /// - Throws: ``ManagedObjectError``.
  package func count(for plan: FetchPlan) throws -> Int {
    guard let overlay = try FetchOverlay(self, plan) else { return try countStored(plan) }
    return try overlay.laid(over: fetchStored(overlay.widenedPlan), isWidened: true).ids.count
  }

  private func countStored(_ plan: FetchPlan) throws -> Int {
    try reading("counting \(plan.entityName)") { store throws(StoreError) in
      try store.count(plan, control: nil)
    }
  }

  /// The plan of a request, whose entity must exist.
  func plan<Object>(of request: FetchRequest<Object>, doing: String) throws -> FetchPlan {
    _ = try entity(named: request.entityName, doing: doing)
    return try request.plan(in: model)
  }

  /// Fetches from the store, without unsaved changes, in another way than by a plain fetch.
  ///
  /// - Throws: ``ManagedObjectError``.
  package func fetching<Result>(
    _ plan: FetchPlan, _ body: (any PersistentStore) throws(StoreError) -> Result
  ) throws -> Result {
    _ = try entity(named: plan.entityName, doing: "fetching")
    return try reading("fetching \(plan.entityName)", body)
  }

  func fetchStored(_ plan: FetchPlan) throws -> FetchedIDs {
    try fetching(plan) { store throws(StoreError) in try store.fetch(plan, control: nil) }
  }

  /// The objects of a list, whose rows are read in batches.
  func makeObjects(
    _ ids: ObjectIDList, batchSize: Int, isReadFromFirst: Bool = true
  ) -> [ManagedObject] {
    let batch = FaultBatch(ids: ids, size: batchSize, isReadFromFirst: isReadFromFirst)
    return ids.enumerated().map { index, id in
      let object = object(with: id)
      object.batch = batch
      object.batchIndex = UInt32(index)
      return object
    }
  }
}
