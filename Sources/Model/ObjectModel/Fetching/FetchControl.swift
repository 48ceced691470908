import Dispatch
import Synchronization

/// Reports the progress of long work on a store and cancels it, from any thread.
public final class FetchControl: Sendable {
  /// The control of all that is read and saved on this thread, besides that of a fetch's own; nil
  /// if nobody watches.
  @TaskLocal public static var current: FetchControl?

  /// Whether the work may take longer than the limit that a store has for reads that nobody can
  /// cancel.
  package let isPatient: Bool
  /// Whether the work may wait for others: for another program's lock, for a connection that
  /// is in use, for a save.
  ///
  /// If not, as on a thread that draws, a store throws a ``StoreError`` with the reason `locked` at
  /// once where it would have to wait, and for all that is read after that with the same control:
  /// see ``hasMetLock``.
  package let waits: Bool
  private let onCheck: (@Sendable () -> Void)?
  private let stage = Mutex(Stage())
  private let metLock = Atomic(false)
  private let completedRows = Atomic(0)
  private let totalRows = Atomic(0)

  /// What has become of the work, in one value: a save is either cancelled or committed.
  private struct Stage {
    var isCancelled = false
    /// The commits that were made, with the one that is being made.
    var commits = 0
  }

  /// Creates a control for one operation.
  ///
  /// - Parameters:
  ///   - isPatient: Whether the work may take longer than the store's limit.
  ///   - waits: Whether it may wait for locks.
  ///   - onCheck: Called often, on the thread of the work, whenever it could stop; it may look
  ///     whether somebody wants that, and show the progress. It must not use the store.
  package init(
    isPatient: Bool = false, waits: Bool = true, onCheck: (@Sendable () -> Void)? = nil
  ) {
    self.isPatient = isPatient
    self.waits = waits
    self.onCheck = onCheck
  }

  /// Creates a control that cancels its operation after some seconds.
  public convenience init(timeLimit seconds: Double) {
    self.init()
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.cancel() }
  }

  /// Asks the operation to stop; it soon throws a ``StoreError`` with the reason `cancelled`.
  ///
  /// A commit that has begun is finished all the same.
  public func cancel() { stage.withLock { $0.isCancelled = true } }

  /// Does what ``cancel()`` does, unless the work has committed a save or is committing one.
  ///
  /// - Returns: Whether the operation is cancelled: it commits nothing more then.
  package func cancelUnlessCommitting() -> Bool {
    stage.withLock { stage in
      if stage.commits == 0 { stage.isCancelled = true }
      return stage.isCancelled
    }
  }

  /// Whether the operation was cancelled.
  public var isCancelled: Bool { stage.withLock { $0.isCancelled } }

  /// Whether the work has committed a save or is committing one: it is too late to stop that.
  package var isCommitting: Bool { stage.withLock { $0.commits > 0 } }

  /// Commits a save, unless ``current`` was cancelled before; called by the store.
  ///
  /// - Parameters:
  ///   - doing: The work, for the error.
  ///   - commit: Commits; if it throws, nothing was committed.
  /// - Throws: ``StoreError`` with the reason `cancelled`; what `commit` throws.
  package static func committing(
    doing: String, _ commit: () throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let current else { return try commit() }
    let isCancelled = current.stage.withLock { stage in
      if !stage.isCancelled { stage.commits += 1 }
      return stage.isCancelled
    }
    if isCancelled { throw StoreError(.cancelled, doing: doing) }
    do { try commit() } catch {
      current.stage.withLock { $0.commits -= 1 }
      throw error
    }
  }

  /// Whether something could not be read because another program holds a lock, for which the work
  /// does not wait: what was read with this control may lack rows.
  package var hasMetLock: Bool { metLock.load(ordering: .relaxed) }

  /// Notes that something could not be read without waiting; called by the store.
  package func meetLock() { if !waits { metLock.store(true, ordering: .relaxed) } }

  /// Whether what is done on this thread may wait for others: see ``waits``.
  package static var mayWait: Bool { current?.waits ?? true }

  /// Whether the work must stop; calls the closure that watches it first.
  package var mustStop: Bool {
    onCheck?()
    return isCancelled
  }

  /// Stops work that ``current`` has cancelled.
  ///
  /// - Parameters:
  ///   - doing: The work, for the error.
  ///   - completed: The number of objects done; nil leaves the progress as it is.
  ///   - total: The number of objects in all; 0 if it is not known.
  /// - Throws: ``StoreError`` with the reason `cancelled`.
  package static func check(doing: String, completed: Int? = nil, total: Int = 0)
    throws(StoreError)
  {
    guard let current else { return }
    if let completed { current.report(completed: completed, total: total) }
    if current.mustStop { throw StoreError(.cancelled, doing: doing) }
  }

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
