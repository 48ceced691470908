import ObjectModel

extension FetchedResultsController {
  /// Fetches the whole list at once, or takes it from the cache if there is one: see ``cacheName``.
  ///
  /// After the first fetch, the difference is reported as a change.
  ///
  /// - Throws: ``FetchedResultsError`` if there is no sort descriptor or the order does not keep
  ///   sections together; what the predicate, the context or the store throw. The displayed list
  ///   stays then.
  public func performFetch() throws { try live.performFetch() }

  /// Changes the request and fetches the whole list, as ``performFetch()`` does.
  package func performFetch(_ request: ListRequest) throws {
    live.requested = request
    try live.performFetch()
  }

  /// Fetches the first rows at once, and all of them in the background; takes all from the cache if it
  /// has them.
  ///
  /// - Parameters:
  ///   - firstScreen: How many rows to fetch at once.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to take:
  ///     after
  ///     this fetch, unless the first rows are all there are, and after later ones that follow
  ///     commits of other processes.
  /// - Throws: As ``performFetch()``. Later errors are reported to the delegate.
  public func performFetch(firstScreen: Int, wake: @escaping @Sendable () -> Void) throws {
    try live.performFetch(firstScreen: firstScreen, wake: wake)
  }

  /// Fetches the whole list in the background; it is empty until its results are taken.
  ///
  /// - Parameter wake: As for ``performFetch(firstScreen:wake:)``.
  /// - Throws: ``FetchedResultsError`` and errors of the predicate. Later errors are reported to
  ///   the delegate.
  public func performFetchInBackground(wake: @escaping @Sendable () -> Void) throws {
    try live.performFetchInBackground(wake: wake)
  }

  /// Takes the results of a background fetch; call it in the context's domain after a wake.
  ///
  /// Unsaved changes are laid over them, and the difference is reported as a change: a reload if it
  /// is a large one.
  ///
  /// - Returns: Whether there were any results.
  @discardableResult
  public func takeBackgroundResults() -> Bool { live.takeBackgroundResults() }

  /// Stops the background fetch, if there is one.
  ///
  /// The list is unchanged, and ``request`` is the displayed one again.
  public func cancelFetch() { live.cancelFetch() }

  /// Shows another part of a list whose rows have not all been fetched, until they are.
  ///
  /// It is fetched in the background, by a query of its own: it is shown at once if that takes no
  /// longer than a person notices, else by ``takeBackgroundResults()``.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - count: How many rows to fetch.
  /// - Returns: Whether the part is shown or being fetched; false if the list has all rows, a limit,
  ///   or the rows of an earlier request, or if no fetch is under way.
  /// - Throws: `FetchPredicateError` if the part's condition does not fit the entity.
  public func show(_ part: ListPart, count: Int) throws -> Bool {
    try live.show(part, count: count)
  }

  /// Stops fetching a part; the rows stay.
  public func cancelPart() { live.cancelPart() }

  /// The part that is shown; nil if all rows are there, or none have been fetched.
  public var part: ListPart? { live.part }

  /// How much of the list has been fetched.
  public var fetchState: FetchState {
    guard live.list != nil else { return .notFetched }
    guard live.isPartial else { return .complete }
    let progress = fetchProgress
    return .partial(completed: progress?.completed ?? count, total: progress?.total ?? 0)
  }

  /// The progress of the background fetch; nil if there is none, or it waits so that other
  /// processes can write.
  public var fetchProgress: FetchProgress? {
    guard let background = live.background, background.fetch.isUnderWay else { return nil }
    let control = background.fetch.control
    return FetchProgress(
      completed: control.completed, total: control.total, origin: background.origin,
      start: background.start)
  }

  /// The last error, thrown or reported; nil after a success.
  public var mostRecentError: (any Error)? { live.mostRecentError }

  /// Where the change that is being reported, or was reported last, came from.
  public var changeOrigin: ChangeOrigin { live.changeOrigin }

  /// Whether changes are only collected, as while a screen is hidden.
  ///
  /// Setting it to false reports what was collected: one change for the context's own changes, and
  /// those that other processes' commits cause.
  public var isSuspended: Bool {
    get { live.isSuspended }
    set { live.isSuspended = newValue }
  }
}
