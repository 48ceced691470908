import DequeModule
import ManagedObjects
import ObjectModel

/// A list of object IDs that tracks its context: the controller without its generic parameter.
///
/// For each change it calls `willChange` (the old list can still be read), replaces the list and
/// calls `didChange`. Changes and fetches made inside these callbacks are deferred until they have
/// returned.
final class LiveResults {
  let context: ManagedObjectContext
  /// The request that was made last; equals ``displayed`` once its first rows have been fetched.
  var requested: ListRequest
  /// The request whose results the list has; nil before the first fetch.
  var displayed: ListRequest? { query?.request }
  /// The displayed request, prepared; nil before the first fetch.
  var query: LiveQuery?
  var list: ResultsSections?
  /// The part of a fetch that the list has while other rows are missing; nil for all rows.
  var part: ListPart?
  /// Whether rows are missing.
  var isPartial: Bool { part != nil }
  var mostRecentError: (any Error)?
  /// Where the change that is being reported, or was reported last, came from.
  var changeOrigin = ChangeOrigin.context

  var background: Background?
  /// The part that is fetched beside it, to be shown before all rows are there.
  var partFetch: PartFetch?
  /// Whether the result of the requested fetch is shown if it has no rows.
  var showsNone = true
  /// Whether the request that was made last has no rows, and those of the displayed one stay.
  var foundNone = false
  /// The last background fetch of all rows, which the next one follows; nil before the first.
  var lastFetch: BackgroundFetch?
  /// Keeps whole fetches after commits of other processes apart.
  var throttle = RefetchThrottle()

  /// The name of the cache of whole lists; nil for none.
  var cacheName: String?
  /// Where caches are kept.
  var cache = FetchedResultsCache.standard

  /// Called on another thread when a background fetch has rows; nil to fetch synchronously.
  var wake: (@Sendable () -> Void)?

  /// Changes not applied yet, made inside a callback or while suspended.
  ///
  /// An entry for `.store`, even an empty one, means that rows that are not cached may have
  /// changed.
  var deferred: [ChangeOrigin: ChangedObjects] = [:]
  var isSuspended = false {
    didSet { if !isSuspended { applyDeferred() } }
  }
  private(set) var isNotifying = false
  /// The change that is about to be made, and the list after it, while `willChange` is called.
  private(set) var upcoming: (change: ResultsChange, list: ResultsSections)?
  private var deferredWork: Deque<() -> Void> = []

  var willChange: () -> Void = {}
  var didChange: (ResultsChange) -> Void = { _ in }
  var didFail: (any Error) -> Void = { _ in }
  private var observation: ContextObservation?

  /// A fetch that runs on another thread.
  struct Background {
    let fetch: BackgroundFetch
    var query: LiveQuery
    let origin: ChangeOrigin
    let start = ContinuousClock.now
    /// Objects changed since the fetch began; its results may or may not have the changes.
    var changed = ChangedObjects()
    /// Whether the store changed during the fetch, so that it must be repeated.
    var isOutdated = false
  }

  init(_ request: ListRequest, context: ManagedObjectContext) {
    requested = request
    self.context = context
    observation = context.observe { [weak self] in self?.contextDid($0) }
  }

  deinit {
    background?.fetch.control.cancel()
    lastFetch?.control.cancel()
    partFetch?.fetch.control.cancel()
  }

  // MARK: Notifying

  /// Runs something now, or inside a callback once that has returned.
  ///
  /// - Throws: What the body throws now; a deferred error is passed to `didFail`.
  func afterCallbacks(_ body: @escaping () throws -> Void) throws {
    guard isNotifying else { return try body() }
    deferredWork.append { [weak self] in
      do { try body() } catch { self?.fail(error) }
    }
  }

  /// Replaces the list and reports the change from `old`, the old list with its objects' present
  /// IDs, unless it is empty.
  func replaceList(
    with new: ResultsSections, _ change: ResultsChange, from old: ResultsSections,
    origin: ChangeOrigin
  ) {
    guard !change.isEmpty else {
      list = new
      return
    }
    assert(
      old.count + new.count > 100_000 || change.leads(from: old, to: new),
      "The change does not lead from the old list to the new one: \(change)")
    changeOrigin = origin
    isNotifying = true
    upcoming = (change, new)
    willChange()
    upcoming = nil
    list = new
    didChange(change)
    isNotifying = false
    while !isNotifying, let work = deferredWork.popFirst() { work() }
  }

  func fail(_ error: any Error) {
    mostRecentError = error
    didFail(error)
  }

  // MARK: Tracking the context

  private func contextDid(_ event: ContextEvent) {
    guard let query else { return }
    switch event {
    case .changed(let change):
      background?.note(change, in: context)
      keep(ChangedObjects(change, for: query, in: context), .context)
    case .refreshed(let change):
      background?.note(change, in: context)
      keep(ChangedObjects(change, for: query, in: context), .store)
    case .didSave(let change):
      background?.note(change, in: context)
      // Saved changes were applied when they were made; only the permanent IDs are new.
      keep(
        ChangedObjects(ContextChange(permanentIDs: change.permanentIDs), for: query, in: context),
        .context)
    case .reset:
      deferred = [:]
      deferred[.context, default: ChangedObjects()].needsReload = true
    case .willSave: return
    }
    if !isNotifying { return applyDeferred() }
    deferredWork.append { [weak self] in self?.applyDeferred() }
  }

  /// Keeps changed objects until the list can be updated.
  func keep(_ changed: ChangedObjects, _ origin: ChangeOrigin) {
    deferred[origin, default: ChangedObjects()].formUnion(changed)
  }

  private func applyDeferred() {
    guard !isSuspended, list != nil else { return }
    if let changed = deferred.removeValue(forKey: .context) {
      update(for: changed, origin: .context)
    }
    if let changed = deferred.removeValue(forKey: .store) { updateFromStore(changed) }
  }
}

extension LiveResults.Background {
  /// Collects what changed in the context during the fetch.
  fileprivate mutating func note(_ change: ContextChange, in context: ManagedObjectContext) {
    let new = ChangedObjects(change, for: query, in: context)
    changed.formUnion(new)
    isOutdated = isOutdated || new.needsRefetch || changed.ids.count > ResultsChange.rowLimit
  }
}
