import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Fetches the whole list at once.
  ///
  /// - Throws: ``FetchedResultsError``; an error of the predicate or the store. The old list stays then.
  func performFetch(_ plan: FetchPlan) throws {
    try perform { [self] in
      let query = try LiveQuery(plan, in: context.model)
      try show(fetch(query), of: query, isPartial: false, origin: .fetch)
      cancelBackground()
    }
  }

  /// Fetches the first rows at once and all of them in the background.
  func performFetch(
    _ plan: FetchPlan, firstScreen: Int, wake: @escaping @Sendable () -> Void
  ) throws {
    try perform { [self] in
      let query = try LiveQuery(plan, in: context.model)
      let first = try fetch(query, limit: firstScreen)
      let isPartial = first.count >= firstScreen && first.count < plan.limit ?? .max
      try show(first, of: query, isPartial: isPartial, origin: .fetch)
      cancelBackground()
      if isPartial { startBackground(query, firstScreen: nil, origin: .fetch, wake: wake) }
    }
  }

  /// Asks another question in the background; the old list stays until the first rows of the new one are here.
  func change(
    to plan: FetchPlan, firstScreen: Int, wake: @escaping @Sendable () -> Void
  ) throws {
    try perform { [self] in
      let query = try LiveQuery(plan, in: context.model)
      cancelBackground()
      startBackground(query, firstScreen: firstScreen, origin: .fetch, wake: wake)
    }
  }

  /// Stops a background fetch; the list stays as it is.
  func cancelBackground() {
    background?.fetch.control.cancel()
    background = nil
  }

  func startBackground(
    _ query: LiveQuery, firstScreen: Int?, origin: ChangeOrigin,
    wake: @escaping @Sendable () -> Void
  ) {
    let pause = origin == .store ? rest.left(now: .now) : .zero
    let fetch = BackgroundFetch(
      query.plan, firstScreen: firstScreen, from: context.persistentStoreCoordinator.store,
      after: pause, wake: wake)
    background = Background(fetch: fetch, query: query, origin: origin, wake: wake)
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
      new = try Placing(background.touches, in: new, query, context, isOpenEnded: isOpenEnded).new
    }
    if answer.isWhole {
      if background.origin == .store { rest.begin(after: background.fetch.duration, now: .now) }
      self.background = nil
    }
    try show(new, of: query, isPartial: !answer.isWhole, origin: background.origin)
    if answer.isWhole, isOutdated {
      startBackground(query, firstScreen: nil, origin: .store, wake: background.wake)
    }
  }

  private func show(
    _ new: ResultsSections, of query: LiveQuery, isPartial: Bool, origin: ChangeOrigin
  ) throws {
    mostRecentError = nil
    let touches = waiting
    waiting = Touches()
    self.query = query
    self.isPartial = isPartial
    guard let list else {
      list = new
      return
    }
    let old = list.renaming(touches.permanentIDs)
    let change = ResultsChange(from: old, to: new, updated: touches.ids)
    flip(to: new, change, from: old, origin: origin)
  }

  private func perform(_ body: @escaping () throws -> Void) throws {
    try whenNotTelling { [self] in
      do {
        try body()
      } catch {
        mostRecentError = error
        throw error
      }
    }
  }
}
