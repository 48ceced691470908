/// A store that wraps another one: what it does not implement itself is passed on, caching, tracking
/// and fetching long lists again included.
///
///     final class CountingStore: ForwardingStore {
///       let base: any PersistentStore
///       let fetches = Atomic(0)
///       init(_ base: any PersistentStore) { self.base = base }
///       func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
///         fetches.add(1, ordering: .relaxed)
///         return try base.fetch(plan, control: control)
///       }
///     }
///
/// A long list may be taken from the wrapped store in another way than by `fetch(_:control:)`: its
/// rows around the screen only, from a cache, or by what has changed since the last fetch. A store
/// that must see each fetch implements ``PersistentStore`` alone.
public protocol ForwardingStore: PersistentStore {
  /// The store that is wrapped.
  var base: any PersistentStore { get }
}

extension ForwardingStore {
  /// That of the wrapped store.
  public var identifier: String { base.identifier }

  /// That of the wrapped store.
  public func identifier(of entityName: String) -> String { base.identifier(of: entityName) }

  /// That of the wrapped store.
  public var summary: StoreSummary { base.summary }

  /// That of the wrapped store.
  public var model: ManagedObjectModel { base.model }

  /// Passes the call on.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try base.fetch(plan, control: control)
  }

  /// Passes the call on.
  public func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try base.count(plan, control: control)
  }

  /// Passes the call on.
  public func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try base.rows(of: ids)
  }

  /// Passes the call on.
  public func rowVersions(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try base.rowVersions(of: ids)
  }

  /// Passes the call on.
  public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try base.value(of: attribute, for: id)
  }

  /// Passes the call on.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try base.destinations(of: relationship, from: ids)
  }

  /// Passes the call on.
  public func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try base.inReadTransaction(body)
  }

  /// Passes the call on.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    try base.save(request)
  }

  /// Passes the call on.
  public func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    try base.rehearse(request)
  }

  /// Passes the call on.
  public func triggers(of changes: StoreChanges) throws(StoreError) -> [StoreTrigger] {
    try base.triggers(of: changes)
  }

  /// Passes the call on.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    base.observeForeignChanges(handler)
  }
}
