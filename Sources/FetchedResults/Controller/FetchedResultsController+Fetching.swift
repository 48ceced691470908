import ObjectModel

extension FetchedResultsController {
  /// Fetches the whole list at once.
  ///
  /// When there is one already, the difference is told as a change.
  ///
  /// - Throws: ``FetchedResultsError`` when there is no sort descriptor or the order does not keep sections together;
  ///   what the predicate, the context or the store throw. The old list stays then.
  public func performFetch() throws { try live.performFetch() }

  /// Fetches the first rows at once, and all of them in the background.
  ///
  /// - Parameters:
  ///   - firstScreen: How many rows to fetch at once.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to take. Not called when the
  ///     first rows are all there are.
  /// - Throws: As ``performFetch()``. Later errors are told to the delegate.
  public func performFetch(firstScreen: Int, wake: @escaping @Sendable () -> Void) throws {
    try live.performFetch(firstScreen: firstScreen, wake: wake)
  }

  /// Takes what a background fetch has brought; call it in the context's domain after a wake.
  ///
  /// Unsaved changes are laid over it, and the difference is told as a change: a reload when it is a large one.
  ///
  /// - Returns: Whether there was anything.
  @discardableResult
  public func takeBackgroundResults() -> Bool { live.takeBackgroundResults() }

  /// Stops the background fetch, if there is one.
  ///
  /// The list stays as it is, and ``request`` is the displayed one again.
  public func cancelFetch() { live.cancelFetch() }

  /// How much of the list is here.
  public var fetchState: FetchState {
    guard live.list != nil else { return .notFetched }
    guard live.isPartial else { return .complete }
    let progress = fetchProgress
    return .partial(completed: progress?.completed ?? count, total: progress?.total ?? 0)
  }

  /// How far the background fetch is; nil when there is none, or it waits to leave others room to write.
  public var fetchProgress: FetchProgress? {
    guard let background = live.background, background.fetch.isUnderWay else { return nil }
    let control = background.fetch.control
    return FetchProgress(
      completed: control.completed, total: control.total, origin: background.origin,
      start: background.start)
  }

  /// The last error, thrown or told; nil after a success.
  public var mostRecentError: (any Error)? { live.mostRecentError }

  /// Where the change that is being told, or was told last, came from.
  public var changeOrigin: ChangeOrigin { live.changeOrigin }

  /// Whether changes are gathered and not followed, as while a screen is hidden.
  ///
  /// Setting it to false follows all that was gathered as one change.
  public var isSuspended: Bool {
    get { live.isSuspended }
    set { live.isSuspended = newValue }
  }
}
