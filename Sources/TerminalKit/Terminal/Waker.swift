import Synchronization

/// Wakes a program that waits for input, from any thread.
///
/// Calls coalesce: however often one wakes, the program sees one ``InputEvent/wake`` until it has
/// taken it. Leave the result of the work behind a lock first, then wake.
public final class Waker: Sendable {
  private let isPending = Atomic(false)
  private let signal: @Sendable () -> Void

  /// Creates a waker.
  ///
  /// - Parameter signal: Interrupts the wait; called on the thread that wakes, at most once until
  ///   the event has been taken.
  public init(signal: @escaping @Sendable () -> Void) {
    self.signal = signal
  }

  /// Wakes the program.
  public func wake() {
    if !isPending.exchange(true, ordering: .acquiringAndReleasing) { signal() }
  }

  /// Says that the event has been taken, so that the next ``wake()`` signals again.
  ///
  /// - Returns: Whether somebody had called.
  @discardableResult
  public func acknowledge() -> Bool {
    isPending.exchange(false, ordering: .acquiringAndReleasing)
  }
}
