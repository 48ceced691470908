import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Fetches the whole requested list at once.
  ///
  /// - Throws: ``FetchedResultsError``; an error of the predicate or the store. The displayed list
  ///   and its request stay then.
  func performFetch() throws {
    try perform { [self] query in
      try show(fetch(query), of: query, isPartial: false, origin: .fetch)
      stopBackground()
    }
  }

  /// Fetches the first rows of the requested list at once and all of them in the background.
  func performFetch(firstScreen: Int, wake: @escaping @Sendable () -> Void) throws {
    self.wake = wake
    try perform { [self] query in
      let first = try fetch(query, limit: firstScreen)
      let isPartial = first.count >= firstScreen && first.count < query.plan.limit ?? .max
      try show(first, of: query, isPartial: isPartial, origin: .fetch)
      stopBackground()
      if isPartial { startBackground(query, firstScreen: nil, origin: .fetch) }
    }
  }

  /// Changes the request; the displayed list stays until the first rows of the new one are here.
  func change(
    to request: ListRequest, firstScreen: Int, wake: @escaping @Sendable () -> Void
  ) throws {
    requested = request
    self.wake = wake
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

  /// Stops a background fetch; the list stays as it is.
  func cancelFetch() {
    stopBackground()
    revertRequest()
  }

  private func stopBackground() {
    background?.fetch.control.cancel()
    background = nil
  }

  func startBackground(_ query: LiveQuery, firstScreen: Int?, origin: ChangeOrigin) {
    let pause = origin == .store ? rest.left(now: .now) : .zero
    let fetch = BackgroundFetch(
      query.plan, firstScreen: firstScreen, from: context.persistentStoreCoordinator.store,
      after: pause, wake: wake ?? {})
    background = Background(fetch: fetch, query: query, origin: origin)
  }

  /// Takes what a background fetch has brought, with what was changed meanwhile laid over it.
  ///
  /// - Returns: Whether there was anything.
  func takeBackgroundResults() -> Bool {
    guard !isSuspended, !isTelling, let fetch = background?.fetch else { return false }
    let answers = fetch.takeAnswers()
    for answer in answers {
      // A callback may have asked something else meanwhile.
      guard let background, background.fetch === fetch else { break }
      do {
        try take(answer, of: background)
      } catch {
        self.background = nil
        revertRequest()
        let isCancelled = (error as? StoreError)?.reason == .cancelled
        if !isCancelled { fail(error) }
      }
    }
    return !answers.isEmpty
  }

  private func take(_ answer: BackgroundFetch.Answer, of background: Background) throws {
    let query = background.query
    // First rows that are all rows answer the whole plan, and unsaved rows may make them more.
    let plan = answer.isWhole ? query.plan : answer.plan
    let fetched = try context.overlay(answer.result.get(), for: plan)
    var new = try checked(fetched, query)
    let isOutdated = self.background?.isOutdated ?? false
    if !background.touches.isEmpty, !isOutdated {
      let isOpenEnded = !answer.isWhole
      new = try ListUpdate(background.touches, in: new, query, context, isOpenEnded: isOpenEnded)
        .new
    }
    if answer.isWhole {
      if background.origin == .store { rest.begin(after: background.fetch.duration, now: .now) }
      self.background = nil
    }
    try show(new, of: query, isPartial: !answer.isWhole, origin: background.origin)
    if answer.isWhole, isOutdated {
      startBackground(query, firstScreen: nil, origin: .store)
    }
  }

  private func show(
    _ new: ResultsSections, of query: LiveQuery, isPartial: Bool, origin: ChangeOrigin
  ) throws {
    mostRecentError = nil
    let touches = waiting.values.reduce(into: Touches()) { $0.formUnion($1) }
    waiting = [:]
    let isSameEntity = query.plan.entityName == self.query?.plan.entityName
    self.query = query
    self.isPartial = isPartial
    guard let list else {
      list = new
      return
    }
    let old = list.renaming(touches.permanentIDs)
    let change =
      isSameEntity ? ResultsChange(from: old, to: new, updated: touches.ids) : .reload
    flip(to: new, change, from: old, origin: origin)
  }

  /// Prepares what is requested and fetches it, now or when the callbacks under way have returned.
  private func perform(_ fetch: @escaping (LiveQuery) throws -> Void) throws {
    try whenNotTelling { [self] in
      do {
        try fetch(LiveQuery(requested, in: context.model))
      } catch {
        mostRecentError = error
        revertRequest()
        throw error
      }
    }
  }

  /// Gives up a request that failed or was cancelled: the one being fetched is requested again, or
  /// else the displayed one.
  private func revertRequest() { requested = background?.query.request ?? displayed ?? requested }
}
