import Foundation
import ManagedObjects
import ObjectModel
import Synchronization

/// A store whose work in the background waits behind a gate, so that a test can look at what is shown meanwhile.
final class GatedStore: PersistentStore {
  private let store: InMemoryStore
  private let gate = Mutex(true)

  private let describe: @Sendable (inout StoreSummary) -> Void

  /// Puts a gate before a store, whose summary may be told otherwise.
  init(_ store: InMemoryStore, describe: @escaping @Sendable (inout StoreSummary) -> Void) {
    self.store = store
    self.describe = describe
  }

  /// Whether work in the background goes on.
  var isOpen: Bool {
    get { gate.withLock { $0 } }
    set { gate.withLock { $0 = newValue } }
  }

  var identifier: String { store.identifier }
  var summary: StoreSummary {
    var summary = store.summary
    describe(&summary)
    return summary
  }
  var model: ManagedObjectModel { store.model }

  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    // Only work in the background can be followed and stopped.
    while let control, !isOpen {
      control.report(completed: 412_000, total: 1_000_000)
      if control.isCancelled { throw StoreError(.cancelled, doing: "fetching") }
      usleep(500)
    }
    return try store.fetch(plan, control: control)
  }

  func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try store.count(plan, control: control)
  }

  func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
    try store.snapshots(of: ids)
  }

  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try store.value(of: attribute, for: id)
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try store.destinations(of: relationship, from: ids)
  }

  func save(_ request: SaveRequest) throws(StoreError) -> SaveResult { try store.save(request) }

  func explain(_ request: SaveRequest) -> [String] { store.explain(request) }

  func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    store.observeForeignChanges(handler)
  }
}
