package import ObjectModel
import Synchronization

/// The handlers of foreign commits, and the thread that detects them.
struct StoreObservers {
  var handlers: [Int: @Sendable () -> Void] = [:]
  var nextNumber = 0
  var detector: ForeignChangeDetector?
  var watcher: FileWatcher?
}

extension SQLiteStore {
  /// Calls a handler on a background thread after each commit that was not made through this
  /// object.
  ///
  /// The handler is also called when the file is replaced or removed; the next access then throws
  /// an error. Waiting uses no processor time. A store that reads a private copy of its file
  /// detects nothing before its first save.
  ///
  /// - Parameter handler: Called about 50 milliseconds after the commit, or once for several
  ///   commits.
  /// - Returns: The observation, which ends when it is cancelled or released.
  package func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation
  {
    let number = observers.withLock { observers in
      observers.nextNumber += 1
      observers.handlers[observers.nextNumber] = handler
      if observers.watcher == nil, !readsCopy { startWatching(&observers) }
      return observers.nextNumber
    }
    return StoreObservation { [weak self] in
      // The watcher's thread ends when the watcher is deallocated, outside of the lock.
      let ended = self?.observers.withLock { observers -> StoreObservers? in
        observers.handlers[number] = nil
        guard observers.handlers.isEmpty else { return nil }
        defer { (observers.detector, observers.watcher) = (nil, nil) }
        return observers
      }
      withExtendedLifetime(ended) {}
    }
  }

  /// Starts watching if there are handlers and the store reads the file itself instead of a copy.
  func watchOriginal() {
    observers.withLock { observers in
      guard !observers.handlers.isEmpty, observers.watcher == nil, !readsCopy else { return }
      startWatching(&observers)
    }
  }

  private func startWatching(_ observers: inout StoreObservers) {
    let detector = ForeignChangeDetector(guardian: guardian, pool: pool)
    observers.detector = detector
    observers.watcher = FileWatcher(
      path: guardian.path, companions: ["-wal", "-journal"], check: detector.takeChange
    ) { [weak self] in
      let handlers = self?.observers.withLock { Array($0.handlers.values) } ?? []
      for handler in handlers { handler() }
    }
  }
}
