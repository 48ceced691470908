import Dispatch
import ManagedObjects
import ObjectModel
import Synchronization

/// A store in memory whose fetches wait for a gate, as those of a long list take their time.
final class GatedStore: PersistentStore {
  private let store: InMemoryStore
  private let gate = DispatchSemaphore(value: 0)
  private let isGated = Atomic(false)
  private let failure = Mutex<StoreError?>(nil)
  private let snapshotReads = Atomic(0)

  init(_ store: InMemoryStore) { self.store = store }

  /// Makes fetches on other threads wait, each for one opening.
  func close() { isGated.store(true, ordering: .releasing) }

  func open() { gate.signal() }

  func failNextFetch(_ error: StoreError) { failure.withLock { $0 = error } }

  /// How many times rows were read.
  var reads: Int { snapshotReads.load(ordering: .relaxed) }

  var identifier: String { store.identifier }
  var summary: StoreSummary { store.summary }
  var model: ManagedObjectModel { store.model }

  func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    if control != nil, isGated.load(ordering: .acquiring) { gate.wait() }
    let error = failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
    if let error { throw error }
    if control?.isCancelled == true { throw StoreError(.cancelled, doing: "fetching") }
    let fetched = try store.fetch(plan, control: control)
    control?.report(completed: fetched.ids.count, total: fetched.ids.count)
    return fetched
  }

  func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try store.count(plan, control: control)
  }

  func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
    snapshotReads.add(1, ordering: .relaxed)
    return try store.snapshots(of: ids)
  }

  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try store.value(of: attribute, for: id)
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  { try store.destinations(of: relationship, from: ids) }

  func save(_ request: SaveRequest) throws(StoreError) -> SaveResult { try store.save(request) }

  func explain(_ request: SaveRequest) -> [String] { store.explain(request) }

  func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    store.observeForeignChanges(handler)
  }
}

/// The wakes of a background fetch, to be awaited one by one.
struct Wakes: Sendable {
  private let stream: AsyncStream<Void>
  let wake: @Sendable () -> Void

  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    wake = { continuation.yield() }
  }

  func next() async {
    for await _ in stream { return }
  }
}
