package import ManagedObjects
import ObjectModel
import Synchronization
package import TerminalKit

/// Merges into a context what other contexts and other processes save.
///
/// While the run loop waits, the main actor is busy, so that the tasks in which a container's main
/// context merges by itself do not run: here the loop is woken instead.
@MainActor
package final class ContextFollower {
  let context: ManagedObjectContext
  /// Set when another process has committed, until that was read.
  package let foreignChange = ForeignChange()
  private var observation: StoreObservation?

  package init(_ context: ManagedObjectContext, waker: Waker) {
    self.context = context
    context.wakeOnForeignSave { waker.wake() }
    observation = context.persistentStoreCoordinator.store.observeForeignChanges {
      [foreignChange] in
      foreignChange.set()
      waker.wake()
    }
  }

  /// Shows lists the changes of the context, with those of others.
  ///
  /// - Returns: What another process has changed; nil if none has committed.
  /// - Throws: `ManagedObjectError` if that cannot be read: it is tried again with the next event, or
  ///   the next drawing while a lock is waited for.
  package func merge() throws -> ContextChange? {
    var change: ContextChange?
    if foreignChange.take() {
      do { change = try context.refreshFromStore() ?? ContextChange() } catch {
        foreignChange.set()
        throw error
      }
    }
    context.processPendingChanges()
    return change
  }

  /// Stops following.
  package func stop() {
    observation?.cancel()
    context.wakeOnForeignSave(nil)
  }
}

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
