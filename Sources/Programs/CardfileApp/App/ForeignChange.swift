import Synchronization

/// A flag, settable from any thread, that another process has committed.
nonisolated final class ForeignChange: Sendable {
  private let isPending = Atomic(false)

  /// Sets the flag.
  func set() { isPending.store(true, ordering: .releasing) }

  /// Clears the flag.
  ///
  /// - Returns: Whether it was set.
  func take() -> Bool { isPending.exchange(false, ordering: .acquiringAndReleasing) }
}
