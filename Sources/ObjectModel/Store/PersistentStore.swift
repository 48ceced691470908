/// Keeps objects: a database file, or memory.
///
/// A store is synchronous and may be used from several threads at once: a long fetch in the background leaves others
/// their reads. It hands out IDs and snapshots, never objects.
public protocol PersistentStore: AnyObject, Sendable {
  /// The store's identifier, part of every ``ObjectID``; steady as long as the store exists.
  var identifier: String { get }

  /// What is known of the store as a whole.
  var summary: StoreSummary { get }

  /// The entities of the store.
  var model: ManagedObjectModel { get }

  /// Fetches ordered object IDs and the sections they fall into.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - control: Follows and stops the work from another thread.
  /// - Returns: The IDs in order.
  /// - Throws: ``StoreError``; its reason is cancelled when the control stopped it.
  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs

  /// Counts the objects that a fetch would give.
  ///
  /// - Parameters:
  ///   - plan: What to count; order and sections do not matter.
  ///   - control: Follows and stops the work from another thread.
  /// - Returns: The number of objects.
  /// - Throws: ``StoreError``.
  func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int

  /// Reads objects of any entities, in as few queries as possible.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: The snapshots by ID. An object that is gone is missing.
  /// - Throws: ``StoreError``.
  func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot]

  /// Reads the whole of a value that a snapshot holds cut.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - id: The object.
  /// - Returns: The stored value; null when the object is gone.
  /// - Throws: ``StoreError``.
  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value

  /// Reads where a relationship leads from objects of one entity, in as few queries as possible.
  ///
  /// - Parameters:
  ///   - relationship: The name of a to-many or to-one relationship of the entity.
  ///   - ids: Permanent IDs of objects of one entity.
  /// - Returns: Destinations that exist, by source, in the relationship's order or by key. Sources that lead nowhere are missing.
  /// - Throws: ``StoreError``.
  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]

  /// Writes changes in one transaction: all or nothing.
  ///
  /// - Parameter request: What to write.
  /// - Returns: Permanent IDs and the rows as they now stand.
  /// - Throws: ``StoreError``; nothing was written then. Its reason is conflict, with the difference, when a row has
  ///   another version than the change was made on, or a deletion would reach other objects than it was planned with.
  func save(_ request: SaveRequest) throws(StoreError) -> SaveResult

  /// Describes the statements that a save would run, without running them.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: Readable statements, values in place, one a line; empty for a store that has no such language.
  func explain(_ request: SaveRequest) -> [String]

  /// Calls a handler, on a thread of the store's own, after each commit that was not made through this object.
  ///
  /// - Parameter handler: Called soon after the commit; several commits may be told as one.
  /// - Returns: The observation; it ends when this is cancelled or let go.
  func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation
}
