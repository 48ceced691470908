import Foundation
public import ObjectModel
import Synchronization

/// A store in memory, and the reference implementation for other stores.
///
/// It is simple: a fetch evaluates the predicate for every row, and a save works on a copy that
/// replaces the rows only if every rule is met.
public final class InMemoryStore: AtomicStore {
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

  /// See `PersistentStore.rows(of:)`.
  public func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    let rows = copy().rows
    return ids.map { id in rows[id].map { $0.cut(to: cutLength) } }
  }

  /// See `PersistentStore.save(_:)`.
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

  /// See `AtomicStore.storedRows()`.
  public func storedRows() -> some StoredRows { copy() }

  private func copy() -> InMemoryRows { rows.withLock { $0 } }
}
