import Synchronization

/// Keeps an observation of a store alive; ends it when cancelled or let go.
public final class StoreObservation: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// Makes an observation.
  ///
  /// - Parameter onCancel: Called once, when the observation ends.
  public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = Mutex(onCancel) }

  deinit { cancel() }

  /// Ends the observation; a handler that is running finishes.
  ///
  /// Later calls do nothing.
  public func cancel() {
    let end = onCancel.withLock { handler in
      defer { handler = nil }
      return handler
    }
    end?()
  }
}
