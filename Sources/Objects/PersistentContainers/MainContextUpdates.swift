import ManagedObjects
import ObjectModel
import Synchronization

/// Merges into a context of the main actor what others save.
///
/// The coordinator's inbox of the context holds it, so it ends with the context. It holds the
/// context weakly.
@MainActor
final class MainContextUpdates {
  private weak var context: ManagedObjectContext?
  private var observation: StoreObservation?
  private nonisolated let isMergeScheduled = Atomic(false)
  private nonisolated let isRefreshScheduled = Atomic(false)

  private init(_ context: ManagedObjectContext) { self.context = context }

  /// Follows the saves of other contexts of the coordinator and of other processes.
  static func start(for context: ManagedObjectContext) {
    let updates = MainContextUpdates(context)
    context.wakeOnForeignSave { updates.scheduleMerge() }
    let store = context.persistentStoreCoordinator.store
    updates.observation = store.observeForeignChanges { [weak updates] in
      updates?.scheduleRefresh()
    }
  }

  /// Several saves before the main actor is free are merged at once.
  private nonisolated func scheduleMerge() {
    guard !isMergeScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { @MainActor [weak self] in
      self?.isMergeScheduled.store(false, ordering: .releasing)
      self?.context?.processPendingChanges()
    }
  }

  private nonisolated func scheduleRefresh() {
    guard !isRefreshScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { @MainActor [weak self] in
      self?.isRefreshScheduled.store(false, ordering: .releasing)
      guard let context = self?.context else { return }
      do { try context.refreshFromStore() } catch { context.report(error) }
    }
  }
}
