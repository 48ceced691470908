// What a store need not have: it is read-only, has no statements and triggers, and nobody else
// changes it. Such a store has an identifier, a summary, a model, `fetch`, `rows`, `value` and
// `destinations`; one whose rows are at hand is an ``AtomicStore``.
extension PersistentStore {
  /// Returns ``identifier``.
  public func identifier(of entityName: String) -> String { identifier }

  /// Fetches the objects and counts them.
  public func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try fetch(plan, control: control).ids.count
  }

  /// Reads the rows of objects, with their values.
  public func rowVersions(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try rows(of: ids)
  }

  /// Runs the closure once.
  public func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try body()
  }

  /// Throws an error: the store is read-only.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    throw StoreError(
      .readOnly, doing: "saving", subject: summary.name, detail: summary.readOnlyReason ?? "")
  }

  /// Returns an empty rehearsal: there are no statements.
  public func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    SaveRehearsal()
  }

  /// Returns none.
  public func triggers(of changes: StoreChanges) throws(StoreError) -> [StoreTrigger] { [] }

  /// Returns an observation that never calls the handler.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    StoreObservation {}
  }
}
