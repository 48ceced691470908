import Dispatch
import Synchronization

/// Reports the progress of a long store operation and cancels it, from any thread.
public final class FetchControl: Sendable {
  private let cancelled = Atomic(false)
  private let completedRows = Atomic(0)
  private let totalRows = Atomic(0)

  /// Creates a control for one operation.
  public init() {}

  /// Creates a control that cancels its operation after some seconds.
  public convenience init(timeLimit seconds: Double) {
    self.init()
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.cancel() }
  }

  /// Asks the operation to stop; it soon throws a ``StoreError`` with the reason `cancelled`.
  public func cancel() { cancelled.store(true, ordering: .releasing) }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// The number of rows read so far.
  public var completed: Int { completedRows.load(ordering: .relaxed) }

  /// The number of rows to read; 0 while unknown.
  public var total: Int { totalRows.load(ordering: .relaxed) }

  /// Reports progress; called by the store.
  ///
  /// - Parameters:
  ///   - completed: The number of rows read so far.
  ///   - total: The number of rows to read; 0 if unknown.
  public func report(completed: Int, total: Int) {
    completedRows.store(completed, ordering: .relaxed)
    totalRows.store(total, ordering: .relaxed)
  }
}
