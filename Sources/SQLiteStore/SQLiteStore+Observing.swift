public import ObjectModel
import Synchronization

/// Those who want to hear of commits that others make, and the thread that waits for them.
struct StoreObservers {
  var handlers: [Int: @Sendable () -> Void] = [:]
  var nextNumber = 0
  var detector: ForeignChangeDetector?
  var watcher: ForeignChangeWatcher?
}

extension SQLiteStore {
  /// Calls a handler, on a thread of the store's own, after each commit that was not made through this object.
  ///
  /// It is called too when the file is replaced or removed: the next access then throws an error that says so. Waiting
  /// costs nothing. A store that reads a private copy of its file hears of nothing until its first save.
  ///
  /// - Parameter handler: Called within some 50 milliseconds of the commit; several commits may be told as one.
  /// - Returns: The observation; it ends when this is cancelled or let go.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    let number = observers.withLock { observers in
      observers.nextNumber += 1
      observers.handlers[observers.nextNumber] = handler
      if observers.watcher == nil, !readsCopy { startWatching(&observers) }
      return observers.nextNumber
    }
    return StoreObservation { [weak self] in
      // The watcher's thread ends when the last handler goes; it is let go outside of the lock.
      let ended = self?.observers.withLock { observers -> StoreObservers? in
        observers.handlers[number] = nil
        guard observers.handlers.isEmpty else { return nil }
        defer { (observers.detector, observers.watcher) = (nil, nil) }
        return observers
      }
      withExtendedLifetime(ended) {}
    }
  }

  /// Starts to watch for those who observe, once the file itself is read and no longer a copy.
  func watchOriginal() {
    observers.withLock { observers in
      guard !observers.handlers.isEmpty, observers.watcher == nil, !readsCopy else { return }
      startWatching(&observers)
    }
  }

  private func startWatching(_ observers: inout StoreObservers) {
    guard let detector = try? ForeignChangeDetector(guardian: guardian, pool: pool) else { return }
    observers.detector = detector
    observers.watcher = ForeignChangeWatcher(path: guardian.path, detector: detector) {
      [weak self] in self?.tellObservers()
    }
  }

  private func tellObservers() {
    let handlers = observers.withLock { Array($0.handlers.values) }
    for handler in handlers { handler() }
  }
}
