import Synchronization

/// A flag, settable from any thread, that another process has committed.
package final class ForeignChange: Sendable {
  private let isPending = Atomic(false)

  package init() {}

  /// Sets the flag.
  package func set() { isPending.store(true, ordering: .releasing) }

  /// Clears the flag.
  ///
  /// - Returns: Whether it was set.
  package func take() -> Bool { isPending.exchange(false, ordering: .acquiringAndReleasing) }
}
