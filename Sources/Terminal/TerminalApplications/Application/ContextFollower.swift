import ManagedObjects
import ObjectModel
import Synchronization
import TerminalKit

/// Merges into a context what other contexts and other processes save.
///
/// While the run loop waits, the main actor is busy, so that the tasks in which a container's main
/// context merges by itself do not run: here the loop is woken instead.
@MainActor
final class ContextFollower {
  let context: ManagedObjectContext
  private let foreignChange = ForeignChange()
  private var observation: StoreObservation?

  init(_ context: ManagedObjectContext, waker: Waker) {
    self.context = context
    context.wakeOnForeignSave { waker.wake() }
    observation = context.persistentStoreCoordinator.store.observeForeignChanges {
      [foreignChange] in
      foreignChange.set()
      waker.wake()
    }
  }

  /// Shows lists the changes of the context, with those of others.
  func merge() throws {
    if foreignChange.take() {
      do {
        try context.refreshFromStore()
      } catch {
        // It is read with the next event, or the next drawing while a lock is waited for.
        foreignChange.set()
        throw error
      }
    }
    context.processPendingChanges()
  }

  /// Stops following.
  func stop() {
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
