import Dispatch
import Foundation
import Synchronization

/// Runs closures for a context one after the other, as the queue of an NSManagedObjectContext does,
/// and has changes processed at the end of each.
///
/// A closure that is given in the domain of an actor runs in a later task of that actor: there the
/// context is. One that is given in no actor's domain runs on the main queue if the context is that
/// of the main actor, and on a serial queue of the context otherwise.
package final class ContextQueue {
  /// Whether the context is that of the main actor.
  package var isMain = false
  /// What was given in the domain of the context and has not run yet.
  private var waiting: [() -> Void] = []
  /// How many closures run, one inside of the other.
  private var depth = 0
  private lazy var own = DispatchQueue(label: "cardfile.context")
  /// The thread that a closure runs on, of its own queue; 0 for none.
  private let thread = Atomic<UInt>(0)

  private static let mainMark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the caller runs on the main queue, which need not run on the main thread.
  private static var isOnMain: Bool {
    let mark = mainMark
    return Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }

  /// Runs a closure later, after those that were given before.
  package func add(
    in context: ManagedObjectContext, isolation: isolated (any Actor)?,
    _ block: @escaping () -> Void
  ) {
    if isolation != nil {
      waiting.append(block)
      Task {
        _ = isolation
        self.runNext(in: context)
      }
    } else if isMain, Self.isOnMain {
      waiting.append(block)
      DispatchQueue.main.async(execute: DispatchWorkItem { self.runNext(in: context) })
    } else if isMain {
      DispatchQueue.main.async(execute: DispatchWorkItem { self.run(in: context, block) })
    } else {
      own.async(execute: DispatchWorkItem { self.runOnThread(in: context, block) })
    }
  }

  /// Runs a closure before it returns: at once inside of another one.
  package func wait<Result>(
    in context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation,
    _ block: () throws -> Result
  ) rethrows -> Result {
    if isolation != nil || isMain && Self.isOnMain { return try run(in: context, block) }
    if isMain {
      // Written as one, it would be a closure of the main actor.
      let queue = DispatchQueue.main
      return try queue.sync { try run(in: context, block) }
    }
    let isHere = thread.load(ordering: .relaxed) == UInt(pthread_self())
    if isHere { return try run(in: context, block) }
    return try own.sync { try runOnThread(in: context, block) }
  }

  /// Runs what was given in the domain of the context and has not run yet.
  package func runWaiting(in context: ManagedObjectContext) {
    while !waiting.isEmpty { runNext(in: context) }
  }

  private func runNext(in context: ManagedObjectContext) {
    // A call that waited may have run it already.
    guard !waiting.isEmpty else { return }
    run(in: context, waiting.removeFirst())
  }

  private func runOnThread<Result>(
    in context: ManagedObjectContext, _ block: () throws -> Result
  ) rethrows -> Result {
    let outer = thread.exchange(UInt(pthread_self()), ordering: .relaxed)
    defer { thread.store(outer, ordering: .relaxed) }
    return try run(in: context, block)
  }

  private func run<Result>(
    in context: ManagedObjectContext, _ block: () throws -> Result
  ) rethrows -> Result {
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { context.processWithoutResult() }
    }
    return try block()
  }
}
