public import ObjectModel
import Synchronization

/// A store in memory: the reference that other stores are compared with.
///
/// It does everything the plain way: a fetch looks at every row, a predicate is matched in memory, a save is made on a copy
/// that takes the place of the old rows only when every rule is met.
public final class InMemoryStore: PersistentStore {
  /// The store's identifier, part of every ID.
  public let identifier: String
  /// The entities.
  public let model: ManagedObjectModel

  private let name: String
  private let readOnlyReason: String?
  private let cutLength: Int
  private let rows: Mutex<InMemoryRows>

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - model: The entities.
  ///   - identifier: The store's identifier; nil for a new one.
  ///   - name: The name to show.
  ///   - readOnlyReason: Why nothing can be changed; nil when it can.
  ///   - cutLength: Longer text and bytes are cut to this many bytes in snapshots.
  public init(
    model: ManagedObjectModel, identifier: String? = nil, name: String = "in memory",
    readOnlyReason: String? = nil, cutLength: Int = .max
  ) {
    self.model = model
    self.identifier = identifier ?? StoreIdentifier.make()
    self.name = name
    self.readOnlyReason = readOnlyReason
    self.cutLength = cutLength
    rows = Mutex(InMemoryRows(model: model, storeIdentifier: self.identifier))
  }

  /// What is known of the store.
  public var summary: StoreSummary {
    StoreSummary(name: name, kind: "In-memory store", readOnlyReason: readOnlyReason)
  }

  /// Every row by ID, for tests to compare.
  package var contents: [ObjectID: RowSnapshot] { rows.withLock { $0.rows } }

  /// Fetches ordered object IDs and the sections they fall into.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - control: Follows and stops the work from another thread.
  /// - Returns: The IDs in order.
  /// - Throws: `StoreError`.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try InMemoryFetch(rows: copy(), plan: plan, control: control).fetch()
  }

  /// Counts the objects that a fetch would give.
  ///
  /// - Parameters:
  ///   - plan: What to count.
  ///   - control: Follows and stops the work from another thread.
  /// - Returns: The number of objects.
  /// - Throws: `StoreError`.
  public func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try InMemoryFetch(rows: copy(), plan: plan, control: control).fetch().ids.count
  }

  /// Reads objects.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: The snapshots by ID; an object that is gone is missing.
  /// - Throws: Nothing in memory; the protocol allows it.
  public func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
    let rows = copy()
    var found: [ObjectID: RowSnapshot] = [:]
    for id in ids { found[id] = rows.rows[id].map { $0.cut(to: cutLength) } }
    return found
  }

  /// Reads the whole of a value.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - id: The object.
  /// - Returns: The stored value; null when the object is gone.
  /// - Throws: `StoreError` when there is no such attribute.
  public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    guard let place = model.entity(named: id.entityName)?.attributeIndex(attribute) else {
      throw StoreError(.unknownName, doing: "reading a value", subject: attribute)
    }
    return copy().rows[id]?.value(at: place) ?? .null
  }

  /// Reads where a relationship leads.
  ///
  /// - Parameters:
  ///   - relationship: Its name.
  ///   - ids: Permanent IDs of objects of one entity.
  /// - Returns: Destinations that exist, by source.
  /// - Throws: `StoreError` when there is no such relationship.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try copy().destinations(of: relationship, from: ids)
  }

  /// Writes changes: all or nothing.
  ///
  /// - Parameter request: What to write.
  /// - Returns: Permanent IDs and the rows as they now stand.
  /// - Throws: `StoreError`; nothing was written then.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    if let readOnlyReason {
      throw StoreError(.readOnly, doing: "saving", subject: name, detail: readOnlyReason)
    }
    let outcome = rows.withLock { rows -> Result<SaveResult, StoreError> in
      do throws(StoreError) {
        var save = InMemorySave(rows: rows)
        var result = try save.write(request)
        rows = save.rows
        result.snapshots = result.snapshots.mapValues { $0.cut(to: cutLength) }
        return .success(result)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Nothing: there is no language to tell it in.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: An empty list.
  public func explain(_ request: SaveRequest) -> [String] { [] }

  /// Nobody else can change a store in memory.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: An observation of nothing.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    StoreObservation {}
  }

  private func copy() -> InMemoryRows { rows.withLock { $0 } }
}
