/// Several stores as one: each has the entities of a configuration of the model.
///
/// Relationships stay within a store, and so do an entity and its subentities. A save over several
/// stores is first run and taken back in each, so that what any of them would refuse is refused before
/// anything is written; then they are saved one after the other. If a later one fails all the same, as
/// when its disk is full, what was saved before is undone, and if that fails too the error says which
/// stores have the changes: no two files are written in one transaction.
package final class CombinedStore: PersistentStore {
  /// That of the stores, in their order.
  package let identifier: String
  /// The whole model.
  package let model: ManagedObjectModel
  let stores: [any PersistentStore]
  private let byEntity: [String: Int]

  /// Combines stores.
  ///
  /// - Parameters:
  ///   - stores: The stores; no two have the same entity, and together they have all that are not
  ///     abstract.
  ///   - model: The whole model.
  /// - Throws: ``StoreError`` if an entity has no store or two, or a relationship or a hierarchy leads
  ///   from one store into another.
  package init(_ stores: [any PersistentStore], model: ManagedObjectModel) throws(StoreError) {
    self.stores = stores
    self.model = model
    identifier = stores.map(\.identifier).joined(separator: " ")
    var byEntity: [String: Int] = [:]
    for (index, store) in stores.enumerated() {
      for entity in store.model.entities {
        guard byEntity.updateValue(index, forKey: entity.name) == nil else {
          throw Self.refusal(entity.name, "two stores have this entity")
        }
      }
    }
    for entity in model.entities {
      guard let index = byEntity[entity.name] else {
        throw Self.refusal(entity.name, "no store has this entity")
      }
      if let other = entity.superentityName, byEntity[other] != index {
        throw Self.refusal(entity.name, "its superentity \(other) is in another store")
      }
      for relationship in entity.relationships
      where byEntity[relationship.destinationEntityName] != index {
        throw Self.refusal(
          "\(entity.name).\(relationship.name)",
          "it leads to \(relationship.destinationEntityName), which is in another store")
      }
    }
    self.byEntity = byEntity
  }

  private static func refusal(_ subject: String, _ detail: String) -> StoreError {
    StoreError(
      .unsupported, doing: "combining stores", subject: subject, detail: detail,
      remedy: "put them into one configuration, or use a fetched property")
  }

  /// The store of an entity.
  ///
  /// - Parameter entityName: The entity.
  /// - Returns: Its store.
  /// - Throws: ``StoreError`` if there is no such entity.
  package func store(of entityName: String) throws(StoreError) -> any PersistentStore {
    guard let index = byEntity[entityName] else {
      throw StoreError(.unknownName, doing: "reading", subject: entityName)
    }
    return stores[index]
  }

  func index(of entityName: String) -> Int? { byEntity[entityName] }

  /// That of the entity's store.
  package func identifier(of entityName: String) -> String {
    byEntity[entityName].map { stores[$0].identifier } ?? identifier
  }

  /// The names of all; read-only if all are.
  package var summary: StoreSummary {
    let all = stores.map(\.summary)
    let reasons = all.compactMap(\.readOnlyReason)
    var summary = StoreSummary(
      name: all.map(\.name).joined(separator: " and "), kind: "\(all.count) stores",
      readOnlyReason: reasons.count == all.count ? reasons.first : nil,
      notes: all.flatMap(\.notes))
    summary.otherTables = all.flatMap(\.otherTables)
    return summary
  }

  /// Asks the entity's store.
  package func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try store(of: plan.entityName).fetch(plan, control: control)
  }

  /// Asks the entity's store.
  package func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try store(of: plan.entityName).count(plan, control: control)
  }

  /// Asks the store of each object.
  package func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try byStore(ids) { store, ids throws(StoreError) in try store.rows(of: ids) }
  }

  /// Asks the store of each object.
  package func rowVersions(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try byStore(ids) { store, ids throws(StoreError) in try store.rowVersions(of: ids) }
  }

  private func byStore(
    _ ids: [ObjectID],
    _ read: (any PersistentStore, [ObjectID]) throws(StoreError) -> [RowSnapshot?]
  ) throws(StoreError) -> [RowSnapshot?] {
    var found: [RowSnapshot?] = Array(repeating: nil, count: ids.count)
    for (index, store) in stores.enumerated() {
      let own = ids.indices.filter { byEntity[ids[$0].entityName] == index }
      if own.isEmpty { continue }
      for (index, row) in zip(own, try read(store, own.map { ids[$0] })) { found[index] = row }
    }
    return found
  }

  /// Asks the object's store.
  package func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try store(of: id.entityName).value(of: attribute, for: id)
  }

  /// Asks the objects' store.
  package func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    guard let first = ids.first else { return [:] }
    return try store(of: first.entityName).destinations(of: relationship, from: ids)
  }

  /// Reads one state of each store.
  package func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try Self.inReadTransaction(of: stores[...], body)
  }

  private static func inReadTransaction<Result>(
    of stores: ArraySlice<any PersistentStore>, _ body: () throws -> Result
  ) throws -> Result {
    guard let first = stores.first else { return try body() }
    return try first.inReadTransaction { try inReadTransaction(of: stores.dropFirst(), body) }
  }

  /// The triggers of each store.
  package func triggers(of changes: StoreChanges) throws(StoreError) -> [StoreTrigger] {
    var found: [StoreTrigger] = []
    for (index, store) in stores.enumerated() {
      var own = StoreChanges()
      own.inserted = changes.inserted.filter { byEntity[$0] == index }
      own.updated = changes.updated.filter { byEntity[$0.key] == index }
      own.deleted = changes.deleted.filter { byEntity[$0] == index }
      if own != StoreChanges() { found += try store.triggers(of: own) }
    }
    return found
  }

  /// Follows each store.
  package func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation
  {
    let observations = stores.map { $0.observeForeignChanges(handler) }
    return StoreObservation { for observation in observations { observation.cancel() } }
  }
}

extension CombinedStore: FetchTracking {
  /// Asks the entity's store.
  package func refetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, keepingIn cache: (any FetchCache)?,
    control: FetchControl?
  ) throws(StoreError) -> TrackedFetch {
    try store(of: plan.entityName)
      .fetch(plan, since: earlier, keepingIn: cache, control: control)
  }

  /// Asks the entity's store.
  package func track(_ fetch: TrackedFetch, control: FetchControl?) throws(StoreError)
    -> TrackedFetch?
  { try store(of: fetch.plan.entityName).fetchTracking?.track(fetch, control: control) }

  /// Asks the entity's store.
  package func fetch(_ plan: FetchPlan, from cache: any FetchCache) throws(StoreError)
    -> TrackedFetch?
  { try store(of: plan.entityName).fetchTracking?.fetch(plan, from: cache) }
}
