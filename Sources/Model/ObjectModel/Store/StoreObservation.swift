import Synchronization

/// An observation of a store.
///
/// It ends when it is cancelled or deallocated.
public final class StoreObservation: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// Creates an observation.
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
