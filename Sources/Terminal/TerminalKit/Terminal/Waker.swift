import Synchronization

/// Wakes the event loop from any thread.
///
/// Calls coalesce: several calls cause a single ``InputEvent/wake`` until it has been handled.
/// Store the result of the work, protected by a lock, before calling ``wake()``.
public final class Waker: Sendable {
  private let isPending = Atomic(false)
  private let signal: @Sendable () -> Void

  /// Creates a waker.
  ///
  /// - Parameter signal: Interrupts the event loop's wait. Called on the thread that calls
  ///   ``wake()``, at most once until ``acknowledge()``.
  package init(signal: @escaping @Sendable () -> Void) {
    self.signal = signal
  }

  /// Wakes the event loop; does nothing if a wake is already pending.
  public func wake() {
    if !isPending.exchange(true, ordering: .acquiringAndReleasing) { signal() }
  }

  /// Clears the pending wake, so that the next ``wake()`` signals again.
  ///
  /// - Returns: Whether a wake was pending.
  @discardableResult
  package func acknowledge() -> Bool {
    isPending.exchange(false, ordering: .acquiringAndReleasing)
  }
}
