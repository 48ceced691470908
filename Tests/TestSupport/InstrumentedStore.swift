import Foundation
package import ObjectModel
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A store around another that counts its reads, can hold fetches in the background, and can fail.
package final class InstrumentedStore: ForwardingStore, FetchTracking {
  /// How often a method was called, and how many rows were asked for.
  package struct Counts: Equatable {
    package var fetches = 0, cacheLookups = 0, snapshots = 0, destinations = 0
    package var rows = 0, wholeValues = 0
  }

  private struct State {
    var counts = Counts()
    var isOpen = true
    /// How many fetches may pass although the gate is closed.
    var passes = 0
    /// Whether fetches with a limit pass although the gate is closed.
    var letsPartsPass = false
    var nextFetchError: StoreError?
    var fetchError: StoreError?
    var readError: StoreError?
    var isLocked = false
    var holdsLock = false
    var waits = 0
    var refusedSaves = 0
    var lastPlan: FetchPlan?
  }

  package let base: any PersistentStore
  private let state = Mutex(State())
  private let progressWhileHeld: (completed: Int, total: Int)?
  private let describe: @Sendable (inout StoreSummary) -> Void

  /// - Parameters:
  ///   - base: The store that does the work.
  ///   - progressWhileHeld: What a fetch reports while it waits; nil for nothing.
  ///   - describe: Changes the summary that the store gives of itself.
  package init(
    _ base: any PersistentStore, progressWhileHeld: (completed: Int, total: Int)? = nil,
    describe: @escaping @Sendable (inout StoreSummary) -> Void = { _ in }
  ) {
    self.base = base
    self.progressWhileHeld = progressWhileHeld
    self.describe = describe
  }

  // MARK: Counting

  package var counts: Counts { state.withLock { $0.counts } }

  package func resetCounts() { state.withLock { $0.counts = Counts() } }

  /// The plan of the last fetch; nil before the first one.
  package var lastPlan: FetchPlan? { state.withLock { $0.lastPlan } }

  // MARK: Holding

  /// Whether fetches in the background run. While it is false they wait and can be cancelled.
  package var isOpen: Bool {
    get { state.withLock { $0.isOpen } }
    set { state.withLock { $0.isOpen = newValue } }
  }

  /// Whether fetches of a part of a list pass although the gate is closed.
  package var letsPartsPass: Bool {
    get { state.withLock { $0.letsPartsPass } }
    set { state.withLock { $0.letsPartsPass = newValue } }
  }

  /// Lets one fetch pass although the gate is closed: the one that waits, or the next one.
  package func letOneFetchPass() { state.withLock { $0.passes += 1 } }

  // MARK: Failing

  package func failNextFetch(_ error: StoreError) { state.withLock { $0.nextFetchError = error } }

  /// Makes every fetch fail with an error, or none with nil.
  package func failFetches(_ error: StoreError?) { state.withLock { $0.fetchError = error } }

  /// Makes every read of rows and of destinations fail with an error, or none with nil.
  package func failReads(_ error: StoreError?) { state.withLock { $0.readError = error } }

  /// Whether saves are refused as if another program held the lock.
  package var isLocked: Bool {
    get { state.withLock { $0.isLocked } }
    set { state.withLock { $0.isLocked = newValue } }
  }

  /// The number of saves that were refused because of the lock.
  package var refusedSaves: Int { state.withLock { $0.refusedSaves } }

  /// Whether another program holds the lock, so that nothing can be read: a thread in the background
  /// waits, one that may not wait is refused.
  package var holdsLock: Bool {
    get { state.withLock { $0.holdsLock } }
    set { state.withLock { $0.holdsLock = newValue } }
  }

  /// How often the main thread would have waited for the lock.
  package var mainThreadWaits: Int { state.withLock { $0.waits } }

  /// Waits for the lock as a store does.
  private func passLock(_ control: FetchControl? = nil) throws(StoreError) {
    let current = FetchControl.current
    while holdsLock {
      let isMain = Thread.isMainThread
      if isMain, current?.waits != false { state.withLock { $0.waits += 1 } }
      guard !isMain, current?.waits != false else {
        current?.meetLock()
        throw StoreError(.locked, doing: "reading")
      }
      if control?.isCancelled == true || current?.mustStop == true {
        throw StoreError(.cancelled, doing: "reading")
      }
      usleep(2_000)
    }
  }

  // MARK: PersistentStore

  package var summary: StoreSummary {
    var summary = base.summary
    describe(&summary)
    return summary
  }

  package func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try begin(plan, control)
    let fetched = try base.fetch(plan, control: control)
    control?.report(completed: fetched.ids.count, total: fetched.ids.count)
    return fetched
  }

  package func track(_ fetch: TrackedFetch, control: FetchControl?) throws(StoreError)
    -> TrackedFetch?
  {
    try passLock(control)
    return try base.fetchTracking?.track(fetch, control: control)
  }

  package func fetch(_ plan: FetchPlan, from cache: any FetchCache) throws(StoreError)
    -> TrackedFetch?
  {
    try passLock()
    state.withLock { $0.counts.cacheLookups += 1 }
    return try base.fetchTracking?.fetch(plan, from: cache)
  }

  package func refetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, keepingIn cache: (any FetchCache)?,
    control: FetchControl?
  ) throws(StoreError) -> TrackedFetch {
    try begin(plan, control)
    return try base.fetch(plan, since: earlier, keepingIn: cache, control: control)
  }

  /// Counts a fetch, holds it, or lets it fail.
  private func begin(_ plan: FetchPlan, _ control: FetchControl?) throws(StoreError) {
    try passLock(control)
    if let control { try wait(control, isPart: plan.limit != nil) }
    let error = state.withLock { state in
      state.counts.fetches += 1
      state.lastPlan = plan
      defer { state.nextFetchError = nil }
      return state.nextFetchError ?? state.fetchError
    }
    if let error { throw error }
    if control?.isCancelled == true { throw StoreError(.cancelled, doing: "fetching") }
  }

  /// Waits until the gate lets a fetch in the background pass.
  private func wait(_ control: FetchControl, isPart: Bool) throws(StoreError) {
    while !passes(isPart: isPart) {
      if let progress = progressWhileHeld {
        control.report(completed: progress.completed, total: progress.total)
      }
      if control.isCancelled { throw StoreError(.cancelled, doing: "fetching") }
      usleep(2_000)
    }
  }

  /// Whether a fetch need not wait; takes one of the single passes where the gate is closed.
  private func passes(isPart: Bool) -> Bool {
    state.withLock { state in
      if state.isOpen || isPart && state.letsPartsPass { return true }
      guard state.passes > 0 else { return false }
      state.passes -= 1
      return true
    }
  }

  package func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try passLock(control)
    return try base.count(plan, control: control)
  }

  package func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try passLock()
    let error = state.withLock { state in
      state.counts.snapshots += 1
      state.counts.rows += ids.count
      return state.readError
    }
    if let error { throw error }
    return try base.rows(of: ids)
  }

  package func rowVersions(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try rows(of: ids)
  }

  package func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try passLock()
    state.withLock { $0.counts.wholeValues += 1 }
    return try base.value(of: attribute, for: id)
  }

  package func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try passLock()
    let error = state.withLock { state in
      state.counts.destinations += 1
      return state.readError
    }
    if let error { throw error }
    return try base.destinations(of: relationship, from: ids)
  }

  package func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try passLock()
    return try base.inReadTransaction(body)
  }

  package func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    try passLock()
    let isLocked = state.withLock { state in
      if state.isLocked { state.refusedSaves += 1 }
      return state.isLocked
    }
    if isLocked { throw StoreError(.locked, doing: "saving") }
    return try base.save(request)
  }

  package func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    try passLock()
    return try base.rehearse(request)
  }

  package func triggers(of changes: StoreChanges) throws(StoreError) -> [StoreTrigger] {
    try passLock()
    return try base.triggers(of: changes)
  }

  /// Observes nothing: a test says itself when another process has written, so that it is noticed
  /// at that moment and no other.
  package func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation
  {
    StoreObservation {}
  }
}
