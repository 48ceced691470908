import Foundation
public import ObjectModel
import Synchronization

/// A store in memory, and the reference implementation for other stores.
///
/// It is simple: a fetch evaluates the predicate for every row, and a save works on a copy that
/// replaces the rows only if every rule is met.
public final class InMemoryStore: PersistentStore {
  /// The store's identifier, part of every ID.
  public let identifier: String
  /// The model.
  public let model: ManagedObjectModel

  private let name: String
  private let readOnlyReason: String?
  private let cutLength: Int
  private let rows: Mutex<InMemoryRows>

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - identifier: The store's identifier; nil generates one.
  ///   - name: The name to show.
  ///   - readOnlyReason: Why the store is read-only; nil if it is not.
  ///   - cutLength: The maximum length in bytes of text and bytes in snapshots; longer ones are
  ///     truncated.
  public init(
    model: ManagedObjectModel, identifier: String? = nil, name: String = "in memory",
    readOnlyReason: String? = nil, cutLength: Int = .max
  ) {
    self.model = model
    self.identifier = identifier ?? UUID().uuidString
    self.name = name
    self.readOnlyReason = readOnlyReason
    self.cutLength = cutLength
    rows = Mutex(InMemoryRows(model: model, storeIdentifier: self.identifier))
  }

  /// A summary of the store.
  public var summary: StoreSummary {
    StoreSummary(name: name, kind: "In-memory store", readOnlyReason: readOnlyReason)
  }

  /// Every row by ID, for tests.
  package var contents: [ObjectID: RowSnapshot] { rows.withLock { $0.rows } }

  /// Fetches object IDs in order, and their sections.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The IDs in order.
  /// - Throws: `StoreError`.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try InMemoryFetch(rows: copy(), plan: plan, control: control).fetch()
  }

  /// Counts the objects that a fetch would return.
  ///
  /// - Parameters:
  ///   - plan: What to count.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The number of objects.
  /// - Throws: `StoreError`.
  public func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try InMemoryFetch(rows: copy(), plan: plan, control: control).fetch().ids.count
  }

  /// Reads rows.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: A snapshot for each ID, in the same order; nil for an object that does not exist.
  /// - Throws: Never; the protocol requires it.
  public func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    let rows = copy().rows
    return ids.map { id in rows[id].map { $0.cut(to: cutLength) } }
  }

  /// Reads a full value.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - id: The object.
  /// - Returns: The stored value; null if the object does not exist.
  /// - Throws: `StoreError` if there is no such attribute.
  public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    guard let index = model.entity(named: id.entityName)?.attributeIndex(attribute) else {
      throw StoreError(.unknownName, doing: "reading a value", subject: attribute)
    }
    return copy().rows[id]?.value(at: index) ?? .null
  }

  /// Reads the destinations of a relationship.
  ///
  /// - Parameters:
  ///   - relationship: Its name.
  ///   - ids: Permanent IDs of objects of one entity.
  /// - Returns: Destinations that exist, by source.
  /// - Throws: `StoreError` if there is no such relationship.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try copy().destinations(of: relationship, from: ids)
  }

  /// Runs a closure; each of its reads sees the rows as they are then.
  ///
  /// - Parameter body: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try body()
  }

  /// Saves changes, all or none.
  ///
  /// - Parameter request: What to write.
  /// - Returns: Permanent IDs and the saved rows.
  /// - Throws: `StoreError`; nothing is written then.
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

  /// Does nothing, because a save runs no statements.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: An empty rehearsal.
  public func rehearse(_ request: SaveRequest) -> SaveRehearsal { SaveRehearsal() }

  /// Returns nothing, because the store has no triggers.
  ///
  /// - Parameter changes: What a save changes.
  /// - Returns: An empty list.
  public func triggers(of changes: StoreChanges) -> [StoreTrigger] { [] }

  /// Does nothing, because no other process can change a store in memory.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: An observation without effect.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    StoreObservation {}
  }

  private func copy() -> InMemoryRows { rows.withLock { $0 } }
}
