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

  /// Takes in what another process has committed to the store.
  ///
  /// Rows that are held and rows that are new are told at once, all else when the background fetch that this starts is
  /// taken. Their changes have the origin ``ChangeOrigin/store``. Calls during a fetch are one fetch after it.
  ///
  /// - Parameter wake: As for ``performFetch(firstScreen:wake:)``; nil to fetch everything at once.
  public func refetchAfterForeignChange(wake: (@Sendable () -> Void)? = nil) {
    live.refetchAfterForeignChange(wake: wake)
  }

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
    guard let fetch = live.background?.fetch, fetch.isUnderWay else { return nil }
    return FetchProgress(completed: fetch.control.completed, total: fetch.control.total)
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
