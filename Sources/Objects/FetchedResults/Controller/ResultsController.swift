import DequeModule
public import Foundation
public import ManagedObjects
public import ObjectModel

/// A list of object IDs that tracks its context: a ``FetchedResultsController`` without the class of
/// its objects.
///
/// For each change it calls `listWillChange` (the old list can still be read), replaces the list
/// and calls `listDidChange`. Changes and fetches made inside these callbacks are deferred until
/// they have returned.
public class ResultsController {
  /// The context that the objects are in.
  public let managedObjectContext: ManagedObjectContext
  /// The request that was made last.
  ///
  /// It equals ``displayedRequest`` once its first rows have been fetched. After an error or a
  /// cancelled fetch it is set back to the displayed one.
  package internal(set) var request: ListRequest
  /// The list as a value; nil before the first fetch.
  public internal(set) var results: ResultsSections?
  /// The part that is shown; nil if all rows are there, or none have been fetched.
  package internal(set) var part: ListPart?
  /// The part of a windowed list that was looked for last, and of which there is no row; nil for none.
  package internal(set) var missingPart: ListPart?
  /// The last error, thrown or reported; nil after a success.
  public package(set) var mostRecentError: (any Error)?
  /// Where the change that is being reported, or was reported last, came from.
  package private(set) var changeOrigin = ChangeOrigin.context
  /// Whether ``request`` has no rows, and those of ``displayedRequest`` were kept.
  package internal(set) var foundNone = false
  /// The name under which order, sections and counts of the list are kept on disk, so that the next
  /// process that fetches it need not sort; nil for no cache.
  ///
  /// The methods that perform a fetch read and write the cache; a later change of the request, such
  /// as a filter that is typed, does not. A cache is used only if all that the results depend on is
  /// as it was: predicate, order, sections and limits, the model, the program and its libraries, and
  /// each commit to the store, by whatever program. Otherwise, and if the file is damaged, the list
  /// is fetched, and the cache written again; nothing need be deleted.
  ///
  /// Nothing is kept of a store in memory, on a network, or whose file was written in the last 20
  /// milliseconds; of entities without integer keys; of lists that read views, virtual tables or
  /// external files; nor with a predicate that calls `now()` or `random()`, or that SQL cannot
  /// evaluate.
  public var cacheName: String?
  /// Where the cache is kept; at first in the folder of the running program.
  public var cache = FetchedResultsCache.standard
  /// Whether changes are only collected, as while a screen is hidden.
  ///
  /// Setting it to false reports what was collected: one change for the context's own changes, and
  /// those that other processes' commits cause.
  package var isSuspended = false {
    didSet { if !isSuspended { applyDeferred() } }
  }

  /// The displayed request, prepared; nil before the first fetch.
  var query: LiveQuery?
  var background: Background?
  /// The part that is fetched beside it, to be shown before all rows are there.
  var partFetch: PartFetch?
  /// The rows that are held of a list that is too long to be held whole; nil for a whole list.
  var window: ListWindow?
  var windowRead: WindowRead?
  var windowCount: WindowCount?
  var sectionRead: BackgroundRead<[LookedUpSection]?>?
  /// The rows that are shown; those of a windowed list around them are held.
  var focus = 0..<0
  /// The object that the part that is shown was read for; nil for none.
  var target: ObjectID?
  /// Whether the change that is being reported shows that object.
  package internal(set) var isShowingTarget = false
  /// Whether that object was found past the end of the list.
  package internal(set) var isTargetWrapped = false
  /// Counts the changes of the context and of the store: what was read before one may be outdated.
  var changeNumber = 0
  /// Whether the result of the requested fetch is shown if it has no rows.
  var showsNone = true
  /// The first objects of the last long list of all objects; nil before the first.
  var start: ListStart?
  /// All rows of the last list of all objects as they were fetched, in which those of a filter are
  /// found in their order; nil before the first, and once the store has changed.
  var unfiltered: TrackedFetch?
  /// The last background fetch of all rows, which the next one follows; nil before the first.
  var lastFetch: BackgroundFetch?
  /// Keeps whole fetches after commits of other processes apart.
  var throttle = RefetchThrottle()
  /// Called on another thread when a background fetch has rows; nil to fetch synchronously.
  var wake: (@Sendable () -> Void)?

  /// Changes not applied yet, made inside a callback or while suspended.
  ///
  /// An entry for `.store`, even an empty one, means that rows that are not cached may have
  /// changed.
  var deferred: [ChangeOrigin: ChangedObjects] = [:]
  private(set) var isNotifying = false
  private var deferredWork: Deque<() -> Void> = []
  /// The change that is about to be made, and the list after it, while a delegate is told that the
  /// list will change.
  package private(set) var upcoming: (change: ResultsChange, list: ResultsSections)?
  /// The list before the change that is being reported, with the IDs that its objects have now.
  package private(set) var previous: ResultsSections?
  private var handlers = UpdateHandlers()
  private var observation: ContextObservation?

  /// A fetch that runs on another thread.
  struct Background {
    let fetch: BackgroundFetch
    var query: LiveQuery
    let origin: ChangeOrigin
    let start = ContinuousClock.now
    /// The window of which the first rows are fetched; nil for a whole list.
    var window: ListWindow?
    /// The objects of which the first that the list has is to be among the first rows.
    var near: [ObjectID] = []
    /// Objects changed since the fetch began; its results may or may not have the changes.
    var changed = ChangedObjects()
    /// Whether the store changed during the fetch, so that it must be repeated.
    var isOutdated = false
  }

  init(_ request: ListRequest, context: ManagedObjectContext) {
    self.request = request
    managedObjectContext = context
    observation = context.observe { [weak self] in self?.contextDid($0) }
  }

  deinit {
    handlers.finish()
    background?.fetch.control.cancel()
    lastFetch?.control.cancel()
    partFetch?.fetch.control.cancel()
    windowRead?.read.control.cancel()
    windowCount?.read.control.cancel()
    sectionRead?.control.cancel()
  }

  // MARK: The list

  /// How many objects there are; 0 before the first fetch.
  public var count: Int { results?.count ?? 0 }

  /// The ID of the object at an index path, without reading its row; traps if there is no such row.
  public func objectID(at indexPath: IndexPath) -> ObjectID {
    let list = fetchedList
    return list.ids[list.index(at: indexPath)]
  }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  package func indexPath(for id: ObjectID) -> IndexPath? { results?.indexPath(of: id) }

  /// Reads the rows of a range of the list that are still faults, in one query.
  package func prefetch(_ range: Range<Int>) {
    if let results { reader.prefetch(range, of: results.ids) }
  }

  var fetchedList: ResultsSections {
    guard let results else { preconditionFailure("There are no rows before performFetch().") }
    return results
  }

  var reader: BatchReader {
    let request = (displayedRequest ?? request).fetchRequest
    return BatchReader(
      context: managedObjectContext,
      batchSize: request.fetchBatchSize > 0 ? request.fetchBatchSize : 64,
      relationships: request.relationshipKeyPathsForPrefetching)
  }

  // MARK: Observing

  /// Calls a closure after each change, after the delegate.
  ///
  /// The closure runs in the controller's domain: one that is made on the main actor may use what
  /// belongs there.
  ///
  /// - Parameter handler: What to do. It must not retain the controller.
  /// - Returns: The observation; it ends when it is cancelled or deallocated.
  public func observe(_ handler: @escaping (ResultsUpdate) -> Void) -> ResultsObservation {
    let number = handlers.add(handler)
    return ResultsObservation(onCancel: { [weak self] in self?.handlers.remove(number) })
  }

  /// The list and its changes as an asynchronous sequence, for one reader.
  ///
  ///     for await update in controller.updates { screen.apply(update) }
  ///
  /// The first update is the list as it is, unless nothing was fetched. Each further one has the
  /// change from the one before: what happened while nobody waited is one update, so that a slow
  /// reader needs no more memory than a fast one. The sequence does not retain the controller, and
  /// ends with it.
  public var updates: ResultsUpdates {
    let waiting = WaitingUpdate()
    if let results {
      waiting.add(ResultsUpdate(snapshot: results, change: .reload, origin: changeOrigin))
    }
    handlers.add(waiting)
    return ResultsUpdates(waiting: waiting)
  }

  /// The list is about to change; the old one can still be read.
  func listWillChange() {}

  /// The list has changed.
  func listDidChange(_ change: ResultsChange) {
    guard let results else { return }
    // A handler may end the observation of another one, or begin one.
    let handlers = handlers
    handlers.call(ResultsUpdate(snapshot: results, change: change, origin: changeOrigin)) {
      self.handlers.has($0)
    }
  }

  /// An error occurred that could not be thrown.
  func fetchDidFail(_ error: any Error) {}

  /// Runs something now, or inside a callback once that has returned.
  ///
  /// - Throws: What the body throws now; a deferred error is reported.
  func afterCallbacks(_ body: @escaping () throws -> Void) throws {
    guard isNotifying else { return try body() }
    deferredWork.append { [weak self] in
      do { try body() } catch { self?.report(error) }
    }
  }

  /// Replaces the list and reports the change from `old`, the old list with its objects' present
  /// IDs, unless it is empty.
  func replaceList(
    with new: ResultsSections, _ change: ResultsChange, from old: ResultsSections,
    origin: ChangeOrigin
  ) {
    guard !change.isEmpty else {
      results = new
      return
    }
    assert(
      old.count + new.count > 100_000 || change.leads(from: old, to: new),
      "The change does not lead from the old list to the new one: \(change)")
    changeOrigin = origin
    isNotifying = true
    upcoming = (change, new)
    listWillChange()
    upcoming = nil
    (results, previous) = (new, old)
    listDidChange(change)
    previous = nil
    isNotifying = false
    while !isNotifying, let work = deferredWork.popFirst() { work() }
  }

  /// Keeps an error that cannot be thrown, and notifies the delegate of it.
  package func report(_ error: any Error) {
    mostRecentError = error
    fetchDidFail(error)
  }

  // MARK: Tracking the context

  private func contextDid(_ event: ContextEvent) {
    guard let query else { return }
    windowIsOutdated(event)
    switch event {
    case .changed(let change): keep(change, for: query, .context)
    case .refreshed(let change): keep(change, for: query, .store)
    case .didSave(let change):
      background?.note(change, in: managedObjectContext)
      // Saved changes were applied when they were made; only the permanent IDs are new.
      let renamed = ContextChange(permanentIDs: change.permanentIDs)
      keep(ChangedObjects(renamed, for: query, in: managedObjectContext), .context)
    case .reset:
      deferred = [:]
      deferred[.context, default: ChangedObjects()].needsReload = true
    case .willSave: return
    }
    if !isNotifying { return applyDeferred() }
    deferredWork.append { [weak self] in self?.applyDeferred() }
  }

  private func keep(_ change: ContextChange, for query: LiveQuery, _ origin: ChangeOrigin) {
    background?.note(change, in: managedObjectContext)
    keep(ChangedObjects(change, for: query, in: managedObjectContext), origin)
  }

  /// Keeps changed objects until the list can be updated.
  func keep(_ changed: ChangedObjects, _ origin: ChangeOrigin) {
    deferred[origin, default: ChangedObjects()].formUnion(changed)
  }

  private func applyDeferred() {
    guard !isSuspended, results != nil else { return }
    if let changed = deferred.removeValue(forKey: .context) {
      update(for: changed, origin: .context)
    }
    if let changed = deferred.removeValue(forKey: .store) { updateFromStore(changed) }
    slideAndCount()
  }
}

@available(
  *, unavailable, message: "A controller belongs to its context. Make one in the other domain."
)
extension ResultsController: Sendable {}

extension ResultsController.Background {
  /// Collects what changed in the context during the fetch.
  fileprivate mutating func note(_ change: ContextChange, in context: ManagedObjectContext) {
    let new = ChangedObjects(change, for: query, in: context)
    changed.formUnion(new)
    isOutdated = isOutdated || new.needsRefetch || changed.ids.count > ResultsChange.rowLimit
  }
}
