import ManagedObjects
import ObjectModel
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
