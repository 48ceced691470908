import Synchronization

/// Follows and stops long work in a store from another thread.
public final class FetchControl: Sendable {
  private let cancelled = Atomic(false)
  private let completedRows = Atomic(0)
  private let totalRows = Atomic(0)

  /// Makes a control for one piece of work.
  public init() {}

  /// Stops the work soon: it ends with a ``StoreError`` whose reason is cancelled.
  public func cancel() { cancelled.store(true, ordering: .releasing) }

  /// Whether the work was asked to stop.
  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// How many rows were read so far.
  public var completed: Int { completedRows.load(ordering: .relaxed) }

  /// How many rows are to be read; 0 while that is not known.
  public var total: Int { totalRows.load(ordering: .relaxed) }

  /// Tells how far the work is.
  ///
  /// Called by the store.
  ///
  /// - Parameters:
  ///   - completed: How many rows were read so far.
  ///   - total: How many there are; 0 when not known.
  public func report(completed: Int, total: Int) {
    completedRows.store(completed, ordering: .relaxed)
    totalRows.store(total, ordering: .relaxed)
  }
}
