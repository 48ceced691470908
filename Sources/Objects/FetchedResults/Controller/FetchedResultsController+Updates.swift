import ManagedObjects

extension FetchedResultsController {
  /// Calls a closure after each change, after the delegate.
  ///
  /// The closure runs in the controller's domain: one that is made on the main actor may use what
  /// belongs there.
  ///
  /// - Parameter handler: What to do. It must not retain the controller.
  /// - Returns: The observation; it ends when it is cancelled or deallocated.
  public func observe(_ handler: @escaping (ResultsUpdate) -> Void) -> ResultsObservation {
    let number = handlers.add(handler)
    return ResultsObservation { [weak self] in self?.handlers.remove(number) }
  }

  /// The list and its changes as an asynchronous sequence, for one reader.
  ///
  ///     for await update in controller.updates { screen.apply(update) }
  ///
  /// The first update is the list as it is, unless nothing was fetched. Each further one has the
  /// change from the one before: what happened while nobody waited is one update, so that a slow
  /// reader needs no more memory than a fast one. The sequence does not retain the controller, and ends
  /// with it.
  public var updates: ResultsUpdates {
    let waiting = WaitingUpdate()
    if let list = results {
      waiting.add(ResultsUpdate(snapshot: list, change: .reload, origin: changeOrigin))
    }
    handlers.add(waiting)
    return ResultsUpdates(waiting: waiting)
  }
}
