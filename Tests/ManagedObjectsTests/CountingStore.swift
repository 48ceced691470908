import ObjectModel
import Synchronization

@testable import ManagedObjects

/// A store in memory that counts what it is asked, and can fail.
final class CountingStore: PersistentStore {
  struct Counts { var fetches = 0, snapshots = 0, destinations = 0, rows = 0 }

  let base: InMemoryStore
  private let state = Mutex(Counts())
  private let failing = Mutex(false)

  init(model: ManagedObjectModel = peopleModel) {
    base = InMemoryStore(model: model, identifier: "test")
  }

  var counts: Counts { state.withLock { $0 } }
  func resetCounts() { state.withLock { $0 = Counts() } }
  func fail(_ fails: Bool) { failing.withLock { $0 = fails } }

  var identifier: String { base.identifier }
  var summary: StoreSummary { base.summary }
  var model: ManagedObjectModel { base.model }

  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    state.withLock { $0.fetches += 1 }
    return try base.fetch(plan, control: control)
  }

  func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try base.count(plan, control: control)
  }

  func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
    state.withLock {
      $0.snapshots += 1
      $0.rows += ids.count
    }
    if failing.withLock({ $0 }) { throw StoreError(.disk, doing: "reading", subject: "rows") }
    return try base.snapshots(of: ids)
  }

  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try base.value(of: attribute, for: id)
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    state.withLock { $0.destinations += 1 }
    return try base.destinations(of: relationship, from: ids)
  }

  func save(_ request: SaveRequest) throws(StoreError) -> SaveResult { try base.save(request) }
  func explain(_ request: SaveRequest) -> [String] { [] }
  func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    StoreObservation {}
  }
}
