import Foundation

/// A store in memory, and the reference implementation for other stores.
///
/// It is simple: a fetch evaluates the predicate for every row, and a save works on a copy that
/// replaces the rows only if every rule is met.
public final class InMemoryStore: WritableAtomicStore {
  /// The store's identifier, part of every ID.
  public let identifier: String
  /// The model.
  public let model: ManagedObjectModel

  private let name: String
  private let readOnlyReason: String?
  private let cutLength: Int
  /// Its rows.
  public let cache = AtomicCache()

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
  }

  /// A summary of the store.
  public var summary: StoreSummary {
    StoreSummary(name: name, kind: "In-memory store", readOnlyReason: readOnlyReason)
  }

  /// Every row by ID, for tests.
  package var contents: [ObjectID: RowSnapshot] { (try? storedRows().rows) ?? [:] }

  /// Returns no rows: it begins empty.
  public func load() -> InMemoryRows { InMemoryRows(model: model, storeIdentifier: identifier) }

  /// Does nothing: it has no file.
  public func write(_ rows: InMemoryRows) {}

  /// See `PersistentStore.rows(of:)`.
  public func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    let rows = try storedRows().rows
    return ids.map { id in rows[id].map { $0.cut(to: cutLength) } }
  }

  /// See `PersistentStore.save(_:)`.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    var result = try cache.save(request, to: self)
    result.snapshots = result.snapshots.mapValues { $0.cut(to: cutLength) }
    return result
  }
}

/// A cache of a service is saved into several times in one transaction.
extension InMemoryStore: BulkStore {}
