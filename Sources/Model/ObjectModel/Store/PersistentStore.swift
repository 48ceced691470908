/// A store of objects: a database file, or memory.
///
/// A store is synchronous and may be used from several threads at once: a long fetch in the
/// background does not block other reads. It returns IDs and snapshots, never objects.
public protocol PersistentStore: AnyObject, Sendable {
  /// The store's identifier, part of every ``ObjectID``; it never changes.
  var identifier: String { get }

  /// The identifier that the IDs of an entity's objects have: that of the store. The default; a
  /// `CombinedStore` has several.
  func identifier(of entityName: String) -> String

  /// A summary of the store.
  var summary: StoreSummary { get }

  /// The model of the store.
  var model: ManagedObjectModel { get }

  /// Fetches object IDs in order, and their sections.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The IDs in order.
  /// - Throws: ``StoreError``; its reason is `cancelled` if the control cancelled it.
  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs

  /// Counts the objects that a fetch would return. The default fetches them.
  ///
  /// - Parameters:
  ///   - plan: What to count; order and sections are ignored.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The number of objects.
  /// - Throws: ``StoreError``.
  func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int

  /// Reads the rows of objects of any entities, in as few queries as possible.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: A snapshot for each ID, in the same order; nil for an object that does not exist.
  /// - Throws: ``StoreError``.
  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?]

  /// Reads the versions of rows, and where their to-one relationships lead, which costs less than
  /// their values. The default reads the rows.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: A snapshot for each ID, in the same order, which need not have values; nil for an
  ///   object that does not exist.
  /// - Throws: ``StoreError``.
  func rowVersions(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?]

  /// Reads the full value of an attribute that a snapshot has truncated.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - id: The object.
  /// - Returns: The stored value; null if the object does not exist.
  /// - Throws: ``StoreError``.
  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value

  /// Reads the destinations of a relationship of objects of one entity, in as few queries as
  /// possible.
  ///
  /// - Parameters:
  ///   - relationship: The name of a to-many or to-one relationship of the entity.
  ///   - ids: Permanent IDs of objects of one entity.
  /// - Returns: Destinations that exist, by source, in the relationship's order or by key. Sources
  ///   without destinations are missing.
  /// - Throws: ``StoreError``.
  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]

  /// Runs a closure whose reads, on the calling thread, all see one state of the store.
  ///
  /// Do not save in it. A store may run the closure again after a save interrupted it. The default
  /// runs it once, for a store that is not changed meanwhile.
  ///
  /// - Parameter body: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result

  /// Saves changes in one transaction, all or none. The default refuses them.
  ///
  /// - Parameter request: What to write.
  /// - Returns: Permanent IDs and the saved rows.
  /// - Throws: ``StoreError``; nothing is written then. Its reason is `conflict`, with the
  ///   difference, if the store changed since the request was made: a row has a different version,
  ///   or a relationship different destinations, or another order.
  func save(_ request: SaveRequest) throws(StoreError) -> SaveResult

  /// Runs a save and takes it back; the store is unchanged. The default has no statements.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: The statements, and what triggers would do.
  /// - Throws: ``StoreError``, as the save would.
  func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal

  /// Returns the triggers of the store that run when such changes are saved, and that may change
  /// further rows. The default returns none.
  ///
  /// - Parameter changes: The entities whose objects a save changes.
  /// - Returns: The triggers by name; empty for a store without triggers.
  /// - Throws: ``StoreError`` if the store cannot be read.
  func triggers(of changes: StoreChanges) throws(StoreError) -> [StoreTrigger]

  /// Calls a handler, on a thread of the store, after each commit that was not made through this
  /// object. The default never calls it.
  ///
  /// - Parameter handler: Called soon after the commit; several commits may be reported together.
  /// - Returns: The observation; it ends when it is cancelled or deallocated.
  func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation
}

extension PersistentStore {
  /// Reads the rows of objects of any entities.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: The snapshots by ID; objects that do not exist are missing.
  /// - Throws: ``StoreError``.
  package func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
    Dictionary(rows: try rows(of: ids))
  }

  /// Returns the statements with which a save would write; the store is unchanged.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: The statements with their values, one a line; empty for a store without statements.
  /// - Throws: ``StoreError``, as the save would.
  public func explain(_ request: SaveRequest) throws(StoreError) -> [String] {
    try rehearse(request).statements
  }
}

extension [ObjectID: RowSnapshot] {
  /// The rows by ID; those that are nil are missing.
  package init(rows: [RowSnapshot?]) {
    self.init(minimumCapacity: rows.count)
    for case let row? in rows { self[row.id] = row }
  }
}
