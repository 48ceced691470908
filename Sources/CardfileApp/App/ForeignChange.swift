import Synchronization

/// Says from any thread that another process has committed.
nonisolated final class ForeignChange: Sendable {
  private let isPending = Atomic(false)

  /// Says it.
  func set() { isPending.store(true, ordering: .releasing) }

  /// Whether it was said since the last time.
  func take() -> Bool { isPending.exchange(false, ordering: .acquiringAndReleasing) }
}
