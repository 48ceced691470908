import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Fetches the whole requested list at once, from the cache if it has it.
  ///
  /// - Throws: ``FetchedResultsError``; an error of the predicate or the store. The displayed list
  ///   and its request stay then.
  func performFetch() throws {
    try perform { [self] query in
      let new = try fetchFromCache(query)?.list ?? fetchIntoCache(query)
      show(new, of: query, part: nil, origin: .fetch)
      stopBackground()
    }
  }

  /// Fetches the whole requested list at once, without the cache: it is for the list that is shown
  /// first, not for every filter that is typed into it.
  func performFetchOfChange() throws {
    try perform { [self] query in
      try show(fetch(query), of: query, part: nil, origin: .fetch)
      stopBackground()
    }
  }

  /// Fetches the first rows of the requested list at once and all of them in the background.
  ///
  /// If the store stops the fetch of the first rows, because it takes too long, or would have to wait
  /// for a lock on a thread that may not wait, they are fetched in the background too; the list is
  /// empty meanwhile.
  func performFetch(firstScreen: Int, wake: @escaping @Sendable () -> Void) throws {
    self.wake = wake
    try perform { [self] query in
      if try inTime({ try showFromCache(query) }) == true { return }
      guard let first = try inTime({ try fetch(query, .first, count: firstScreen) }) else {
        return showNone(of: query, fetching: firstScreen)
      }
      let isPartial = first.count >= firstScreen && first.count < query.plan.limit ?? .max
      show(first, of: query, part: isPartial ? .first : nil, origin: .fetch)
      stopBackground()
      if isPartial { startBackground(query, firstScreen: nil, origin: .fetch, isKept: true) }
    }
  }

  /// Fetches the requested list in the background; it is empty meanwhile.
  func performFetchInBackground(wake: @escaping @Sendable () -> Void) throws {
    self.wake = wake
    try perform { [self] query in
      if try inTime({ try showFromCache(query) }) != true { showNone(of: query, fetching: nil) }
    }
  }

  /// Shows an empty list and fetches in the background.
  private func showNone(of query: LiveQuery, fetching firstScreen: Int?) {
    let none = ResultsSections(
      FetchedIDs(ids: ObjectIDList([])), isSectioned: query.plan.sectionKey != nil)
    show(none, of: query, part: .first, origin: .fetch)
    stopBackground()
    startBackground(query, firstScreen: firstScreen, origin: .fetch, isKept: true)
  }

  /// The result of what reads the store; nil if the store has stopped it, or it may not wait.
  private func inTime<Result>(_ read: () throws -> Result) throws -> Result? {
    do {
      return try read()
    } catch {
      let storeError = error as? StoreError ?? (error as? ManagedObjectError)?.storeError
      switch storeError?.reason {
      case .cancelled: return nil
      case .locked where !FetchControl.mayWait: return nil
      default: throw error
      }
    }
  }

  /// Changes the request; the displayed list stays until the first rows of the new one have been
  /// fetched.
  func change(
    to request: ListRequest, firstScreen: Int, showsNone: Bool = true,
    wake: @escaping @Sendable () -> Void
  ) throws {
    requested = request
    self.wake = wake
    self.showsNone = showsNone
    foundNone = false
    guard list != nil else { return try performFetch(firstScreen: firstScreen, wake: wake) }
    try perform { [self] query in
      // The same plan can be requested in other words, such as those of a filter.
      let isDisplayed = query.plan == self.query?.plan
      let isFetching = query.plan == background?.query.plan
      if isDisplayed { self.query = query }
      if isFetching { background?.query = query }
      if isFetching || (isDisplayed && background == nil && !isPartial) { return }
      stopBackground()
      startBackground(query, firstScreen: firstScreen, origin: .fetch)
    }
  }

  /// Stops a background fetch; the list is unchanged.
  func cancelFetch() {
    stopBackground()
    revertRequest()
  }

  func stopBackground() {
    cancelPart()
    background?.fetch.control.cancel()
    background = nil
  }

  /// Starts a background fetch; its results are kept in the cache if `isKept`.
  func startBackground(
    _ query: LiveQuery, firstScreen: Int?, origin: ChangeOrigin, isKept: Bool = false
  ) {
    let isRepetition = origin == .store
    if !isRepetition { lastFetch?.control.cancel() }
    let fetch = BackgroundFetch(
      query.plan, firstScreen: firstScreen, from: context.persistentStoreCoordinator.store,
      following: isRepetition ? lastFetch : nil, keepingIn: isKept ? cacheFile : nil,
      after: isRepetition ? throttle.remaining(now: .now) : .zero, wake: wake ?? {})
    background = Background(fetch: fetch, query: query, origin: origin)
  }

  /// Takes the results of a background fetch and lays the changes made since it began over them.
  ///
  /// - Returns: Whether there were any results.
  func takeBackgroundResults() -> Bool {
    guard !isSuspended, !isNotifying, let fetch = background?.fetch else { return false }
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
        let isCancelled = (error as? StoreError)?.reason == .cancelled
        if !isCancelled { fail(error) }
      }
    }
    return showsPart || !results.isEmpty
  }

  private func take(_ result: BackgroundFetch.Stage, of background: Background) throws {
    let query = background.query
    // Another part of the same list is shown already.
    if !result.isComplete, let part, part != .first, self.query?.plan == query.plan { return }
    // If the first rows are all there are, the whole plan applies: unsaved rows may add to them.
    let plan = result.isComplete ? query.plan : result.plan
    let part: ListPart? = result.isComplete ? nil : .first
    let new = try list(result.fetched, by: plan, of: query, part: part)
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
    if result.isComplete {
      if background.origin == .store {
        throttle.begin(after: background.fetch.duration, now: .now)
      }
      lastFetch = background.fetch
      self.background = nil
    }
    show(new, of: query, part: part, origin: background.origin)
    placeAgain(changed)
    if result.isComplete, isOutdated {
      startBackground(query, firstScreen: nil, origin: .store)
    }
  }

  /// The list of what was fetched, with the changes of the context laid over it: those that are not
  /// saved, and those made since the background fetch began.
  ///
  /// - Throws: ``FetchedResultsError`` if the order does not keep sections together; what reading
  ///   rows throws.
  func list(_ fetched: FetchedIDs, by plan: FetchPlan, of query: LiveQuery, part: ListPart?) throws
    -> ResultsSections
  {
    let new = try checked(context.overlay(fetched, for: plan), query)
    guard let background, !background.changed.isEmpty, !background.isOutdated else { return new }
    return try ListUpdate(background.changed, in: new, query, context, part: part).new
  }

  func show(
    _ new: ResultsSections, of query: LiveQuery, part: ListPart?, origin: ChangeOrigin
  ) {
    if part == nil || query.plan != self.query?.plan { cancelPart() }
    mostRecentError = nil
    let changed = deferred.values.reduce(into: ChangedObjects()) { $0.formUnion($1) }
    deferred = [:]
    placeUnsavedAgain(query)
    let isSameEntity = query.plan.entityName == self.query?.plan.entityName
    self.query = query
    self.part = part
    guard let list else {
      list = new
      return
    }
    let old = list.renaming(changed.permanentIDs)
    let change =
      isSameEntity ? ResultsChange(from: old, to: new, updated: changed.ids) : .reload
    replaceList(with: new, change, from: old, origin: origin)
  }

  /// Prepares the request and fetches, now or inside a callback once that has returned.
  private func perform(_ fetch: @escaping (LiveQuery) throws -> Void) throws {
    try afterCallbacks { [self] in
      do {
        // A fetch sees unsaved changes. If they were taken back before they are processed, they would
        // be no change to follow.
        context.processPendingChanges()
        try fetch(LiveQuery(requested, in: context.model))
      } catch {
        mostRecentError = error
        revertRequest()
        throw error
      }
    }
  }

  /// Sets the request back after an error or a cancelled fetch: to the one being fetched, otherwise
  /// to the displayed one.
  private func revertRequest() { requested = background?.query.request ?? displayed ?? requested }
}
