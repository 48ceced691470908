import ManagedObjects
import ObjectModel

extension ResultsController {
  /// Fetches the whole list at once, or takes it from the cache if there is one: see ``cacheName``.
  ///
  /// After the first fetch, the difference is reported as a change.
  ///
  /// - Throws: ``FetchedResultsError`` if there is no sort descriptor or the order does not keep
  ///   sections together; what the predicate, the context or the store throw. The displayed list
  ///   and its request stay then.
  public func performFetch() throws {
    try perform { [self] query in
      try showWhole(fetchFromCache(query)?.list ?? fetchIntoCache(query), of: query)
    }
  }

  /// Changes the request and fetches the whole list, as ``performFetch()`` does.
  package func performFetch(_ request: ListRequest) throws {
    self.request = request
    try performFetch()
  }

  /// Fetches the first rows at once, and all of them in the background; takes all from the cache if
  /// it has them.
  ///
  /// If the store stops the fetch of the first rows, because it takes too long, or would have to wait
  /// for a lock on a thread that may not wait, they are fetched in the background too; the list is
  /// empty meanwhile.
  ///
  /// - Parameters:
  ///   - firstScreen: How many rows to fetch at once.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to take: after
  ///     this fetch, unless the first rows are all there are, and after later ones that follow
  ///     commits of other processes.
  /// - Throws: As ``performFetch()``. Later errors are reported to the delegate.
  package func performFetch(firstScreen: Int, wake: @escaping @Sendable () -> Void) throws {
    self.wake = wake
    try perform { [self] query in
      let window = window(for: query)
      if try window == nil && inTime({ try showFromCache(query) }) == true { return }
      guard window == nil, let first = try inTime({ try fetch(query, .first, count: firstScreen) })
      else { return showNone(of: query, fetching: firstScreen, window) }
      self.window = nil
      let isPartial = first.count >= firstScreen && first.count < query.plan.limit ?? .max
      show(first, of: query, part: isPartial ? .first : nil, origin: .fetch)
      stopBackground()
      if isPartial { startBackground(query, firstScreen: nil, origin: .fetch, isKept: true) }
    }
  }

  /// Fetches the whole list in the background; it is empty until its results are taken.
  ///
  /// - Parameter wake: Called on another thread when ``takeBackgroundResults()`` has something to take.
  /// - Throws: ``FetchedResultsError`` and errors of the predicate. Later errors are reported to
  ///   the delegate.
  public func performFetchInBackground(wake: @escaping @Sendable () -> Void) throws {
    self.wake = wake
    try perform { [self] query in
      if try inTime({ try showFromCache(query) }) != true { showNone(of: query, fetching: nil) }
    }
  }

  /// How much of the list has been fetched.
  public var fetchState: FetchState {
    guard results != nil else { return .notFetched }
    guard part != nil else { return .complete }
    let progress = fetchProgress
    return .partial(completed: progress?.completed ?? count, total: progress?.total ?? 0)
  }

  /// The progress of the background fetch; nil if there is none, or it waits so that other
  /// processes can write.
  public var fetchProgress: FetchProgress? {
    guard let background, background.fetch.isUnderWay else { return nil }
    let control = background.fetch.control
    return FetchProgress(
      completed: control.completed, total: control.total, origin: background.origin,
      start: background.start)
  }

  func showWhole(_ list: ResultsSections, of query: LiveQuery) {
    window = nil
    show(list, of: query, part: nil, origin: .fetch)
    stopBackground()
  }

  /// Shows an empty list and fetches in the background; the first rows of a window are there at once,
  /// unless that takes longer than a person notices.
  private func showNone(
    of query: LiveQuery, fetching firstScreen: Int?, _ window: ListWindow? = nil
  ) {
    stopBackground()
    if let window {
      startWindow(window, of: query, near: [], count: firstScreen ?? window.readCount)
      background?.fetch.wait(milliseconds: Self.partPatience)
      takeBackgroundResults()
    } else {
      startBackground(query, firstScreen: firstScreen, origin: .fetch, isKept: true)
    }
    guard background != nil else { return }
    let none = ResultsSections(
      FetchedIDs(ids: ObjectIDList([])), isSectioned: query.plan.sectionKey != nil)
    self.window = nil
    show(none, of: query, part: .first, origin: .fetch)
  }

  /// The result of what reads the store; nil if the store has stopped it, or it may not wait.
  private func inTime<Result>(_ read: () throws -> Result) throws -> Result? {
    do {
      return try read()
    } catch {
      switch error.storeError?.reason {
      case .cancelled: return nil
      case .locked where !FetchControl.mayWait: return nil
      default: throw error
      }
    }
  }

  /// Stops the background fetch, if there is one.
  ///
  /// The list is unchanged, and the request that it shows holds again.
  public func cancelFetch() {
    stopBackground()
    revertRequest()
  }

  func stopBackground() {
    cancelPart()
    windowCount?.read.control.cancel()
    windowCount = nil
    cancelSections()
    background?.fetch.control.cancel()
    background = nil
  }

  /// Starts a background fetch; its results are kept in the cache if `isKept`.
  func startBackground(
    _ query: LiveQuery, firstScreen: Int?, origin: ChangeOrigin, isKept: Bool = false
  ) {
    let isRepetition = origin == .store
    if isRepetition { unfiltered = nil } else { lastFetch?.control.cancel() }
    let fetch = BackgroundFetch(
      query.plan, firstScreen: firstScreen, at: start,
      from: managedObjectContext.persistentStoreCoordinator.store,
      following: isRepetition ? lastFetch : nil, narrowing: unfiltered,
      keepingIn: isKept ? cacheFile : nil,
      after: isRepetition ? throttle.remaining(now: .now) : .zero, wake: wake ?? {})
    background = Background(fetch: fetch, query: query, origin: origin)
  }

  /// Starts reading the first rows of a windowed list, around the first of some objects that it has.
  func startWindow(_ window: ListWindow, of query: LiveQuery, near ids: [ObjectID], count: Int) {
    lastFetch?.control.cancel()
    lastFetch = nil
    let fetch = BackgroundFetch(
      window.reader, near: ids.filter { !$0.isTemporary },
      count: min(count, window.readCount), wake: wake ?? {})
    background = Background(
      fetch: fetch, query: query, origin: .fetch, window: window, near: ids)
  }

  /// Takes the results of a background fetch; call it in the context's domain after a wake.
  ///
  /// Unsaved changes, and those made since it began, are laid over them, and the difference is
  /// reported as a change: a reload if it is a large one.
  ///
  /// - Returns: Whether there were any results.
  @discardableResult
  public func takeBackgroundResults() -> Bool {
    guard !isSuspended, !isNotifying else { return false }
    let showsWindow = takeWindow()
    guard let fetch = background?.fetch else { return showsWindow }
    let showsPart = takePart()
    let results = fetch.takeResults()
    for result in results {
      // A callback may have changed the request.
      guard let background, background.fetch === fetch else { break }
      do {
        try take(result, of: background)
      } catch {
        self.background = nil
        revertRequest()
        // A server's administrator can cancel too.
        if error.storeError?.reason != .cancelled || !fetch.control.isCancelled { report(error) }
      }
    }
    return showsWindow || showsPart || !results.isEmpty
  }

  private func take(_ result: BackgroundFetch.Stage, of background: Background) throws {
    let query = background.query
    // Another part of the same list is shown already.
    if !result.isComplete, let part, part != .first, self.query?.plan == query.plan { return }
    // If the first rows are all there are, the whole plan applies: unsaved rows may add to them.
    let plan = result.isComplete ? query.plan : result.plan
    let open = result.found?.open ?? (result.isComplete ? [] : .end)
    let part: ListPart? = open.isEmpty ? nil : .first
    let new =
      try background.window == nil
      ? list(result.fetched, by: plan, of: query, open: open)
      : checked(
        managedObjectContext.overlay(result.fetched, for: query.plan, open: part?.open ?? []), query
      )
    // A callback may have changed the request.
    guard self.background?.fetch === background.fetch else { return }
    let (isOutdated, changed) = (self.background?.isOutdated ?? false, background.changed.ids)
    if !showsNone, background.origin == .fetch, new.count == 0 {
      // The rows of the earlier request stay.
      if result.isComplete {
        foundNone = true
        self.background = nil
      }
      return
    }
    window = background.window
    window?.open = open
    window?.offset = open.contains(.start) ? nil : 0
    if result.isComplete {
      if background.origin == .store {
        throttle.begin(after: background.fetch.duration, now: .now)
      }
      if window == nil {
        lastFetch = background.fetch
        keepUnfiltered(try? result.tracked.get())
      }
      self.background = nil
    }
    focus = 0..<0
    target = result.found?.target.map { nearest($0, among: background.near, in: new) }
    isShowingTarget = target != nil
    show(new, of: query, part: part, origin: background.origin)
    isShowingTarget = false
    placeAgain(changed)
    if window != nil {
      if isOutdated { readWindowAgain() } else { startCounting() }
    } else if result.isComplete, isOutdated {
      startBackground(query, firstScreen: nil, origin: .store)
    }
  }

  /// What is shown of some objects: the first one that the store has found, or one before it that
  /// only the context has.
  private func nearest(_ found: ObjectID, among ids: [ObjectID], in list: ResultsSections)
    -> ObjectID
  {
    guard managedObjectContext.hasChanges else { return found }
    let unsaved = Set(managedObjectContext.insertedObjectIDs)
    return ids.prefix { $0 != found }
      .first { unsaved.contains($0) && list.ids.index(of: $0) != nil } ?? found
  }

  /// The longest list that is kept beside its filter: it takes 128 MB.
  private static let mostUnfiltered = 16_000_000

  /// Keeps a list of all objects for its filters; one in which a filter was not found is outdated.
  private func keepUnfiltered(_ fetch: TrackedFetch?) {
    guard let fetch, fetch.plan.limit == nil, fetch.plan.offset == 0 else { return }
    if fetch.plan.predicate == nil {
      unfiltered = fetch.results.ids.count <= Self.mostUnfiltered ? fetch : nil
    } else if !fetch.isIncremental {
      unfiltered = nil
    }
  }

  /// The list of what was fetched, with the changes of the context laid over it: those that are not
  /// saved, and those made since the background fetch began.
  ///
  /// - Throws: ``FetchedResultsError`` if the order does not keep sections together; what reading
  ///   rows throws.
  func list(_ fetched: FetchedIDs, by plan: FetchPlan, of query: LiveQuery, open: OpenEnds) throws
    -> ResultsSections
  {
    let new = try checked(managedObjectContext.overlay(fetched, for: plan), query)
    guard let background, !background.changed.isEmpty, !background.isOutdated else { return new }
    return try ListUpdate(background.changed, in: new, query, managedObjectContext, open: open).new
  }

  func show(
    _ new: ResultsSections, of query: LiveQuery, part: ListPart?, origin: ChangeOrigin
  ) {
    if part == nil || query.plan != self.query?.plan { cancelPart() }
    if query.plan != self.query?.plan { missingPart = nil }
    mostRecentError = nil
    let changed = deferred.values.reduce(into: ChangedObjects()) { $0.formUnion($1) }
    deferred = [:]
    placeUnsavedAgain(query)
    let isSameEntity = query.plan.entityName == self.query?.plan.entityName
    self.query = query
    self.part = part
    guard let results else {
      results = new
      return
    }
    let old = results.renaming(changed.permanentIDs)
    let change =
      isSameEntity && !changed.needsReload
      ? ResultsChange(from: old, to: new, updated: changed.ids) : .reload
    replaceList(with: new, change, from: old, origin: origin)
  }

  /// Prepares the request and fetches, now or inside a callback once that has returned.
  func perform(_ fetch: @escaping (LiveQuery) throws -> Void) throws {
    try afterCallbacks { [self] in
      do {
        // A fetch sees unsaved changes. If they were taken back before they are processed, they would
        // be no change to follow.
        managedObjectContext.processPendingChanges()
        try fetch(LiveQuery(request, in: managedObjectContext))
      } catch {
        mostRecentError = error
        revertRequest()
        throw error
      }
    }
  }

  /// Sets the request back after an error or a cancelled fetch: to the one being fetched, otherwise
  /// to the displayed one.
  private func revertRequest() {
    request = background?.query.request ?? displayedRequest ?? request
  }
}

extension ResultsController {
  /// Deletes caches from disk.
  ///
  /// - Parameters:
  ///   - name: The name of the caches; nil for all.
  ///   - cache: Where they are kept.
  public static func deleteCache(
    withName name: String?, in cache: FetchedResultsCache = .standard
  ) { cache.delete(withName: name) }

  /// The file of the cache; nil without a cache name, or if there is no folder for it.
  private var cacheFile: CacheFile? {
    cacheName.flatMap {
      CacheFile(
        name: $0,
        storeIdentifier: managedObjectContext.persistentStoreCoordinator.store.identifier,
        in: cache)
    }
  }

  /// The whole list from the cache, with the unsaved changes of the context laid over it; nil if it
  /// must be fetched.
  ///
  /// - Throws: ``FetchedResultsError`` if the order does not keep sections together; what the store
  ///   throws.
  private func fetchFromCache(
    _ query: LiveQuery
  ) throws -> (list: ResultsSections, found: TrackedFetch)? {
    guard let cacheFile else { return nil }
    let found = try managedObjectContext.fetching(query.plan) { store throws(StoreError) in
      try store.fetchTracking?.fetch(query.plan, from: cacheFile)
    }
    guard let found else { return nil }
    let list = try checked(managedObjectContext.overlay(found.results, for: query.plan), query)
    return (list, found)
  }

  /// Fetches the whole list, and keeps what the store has of it in the cache, if there is one.
  ///
  /// - Throws: As ``fetchFromCache(_:)``.
  private func fetchIntoCache(_ query: LiveQuery) throws -> ResultsSections {
    guard let cacheFile else { return try fetch(query) }
    let fetched = try managedObjectContext.fetching(query.plan) { store throws(StoreError) in
      try store.fetch(query.plan, since: nil, keepingIn: cacheFile, control: nil)
    }
    return try checked(managedObjectContext.overlay(fetched.results, for: query.plan), query)
  }

  /// Shows the whole list, if the cache has it, and prepares to follow commits of other processes.
  ///
  /// - Returns: Whether it is shown.
  /// - Throws: As ``fetchFromCache(_:)``.
  private func showFromCache(_ query: LiveQuery) throws -> Bool {
    guard let (list, found) = try fetchFromCache(query) else { return false }
    showWhole(list, of: query)
    lastFetch?.control.cancel()
    lastFetch = BackgroundFetch(
      preparing: found, in: managedObjectContext.persistentStoreCoordinator.store)
    return true
  }
}
