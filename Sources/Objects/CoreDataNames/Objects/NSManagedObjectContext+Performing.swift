public import ManagedObjects

extension ManagedObjectContext {
  /// When `perform(schedule:_:)` runs its closure.
  public enum ScheduledTaskType: Sendable {
    /// At once if the caller is in the context's domain.
    case immediate
    /// After what was given to the context before.
    case enqueued
  }

  /// Runs a closure before it returns, at once if it is called in another one; then processes the
  /// changes.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, in whose domain the context is.
  ///   - block: What to do.
  /// - Returns: What the closure returns.
  public func performAndWait<Result>(
    isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) rethrows -> Result {
    try queue.wait(in: self, isolation: isolation, block)
  }

  /// Runs a closure later, after those that were given before it, and processes the changes.
  ///
  /// In the domain of an actor it runs in a later task of that actor, because it cannot leave it. In
  /// no actor's domain it runs on the main queue for the context of the main actor, and on a queue
  /// of the context otherwise: then what is done with the context elsewhere is done in closures too.
  /// Work that is to leave an actor is given to `performBackgroundTask`.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, in whose domain the context is.
  ///   - block: What to do.
  public func perform(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping () -> Void
  ) {
    queue.add(in: self, isolation: isolation, block)
  }

  /// Runs a closure after those that were given before it, processes the changes, and returns what
  /// the closure returns.
  ///
  /// - Parameters:
  ///   - schedule: When it runs; what was given before runs before it in both cases.
  ///   - isolation: The caller's actor, in whose domain the context is.
  ///   - block: What to do.
  /// - Returns: What the closure returns.
  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
    _ block: () throws -> Result
  ) async rethrows -> Result {
    queue.runWaiting(in: self)
    return try queue.wait(in: self, isolation: isolation, block)
  }
}
