public import ObjectModel
import Synchronization

/// Stands between contexts and the store they share, and tells each what the others saved.
///
/// It may be used from any thread. What it passes on are values: IDs and snapshots.
public final class PersistentStoreCoordinator: Sendable {
  /// The store.
  public let store: any PersistentStore
  /// Why nothing of the store can be changed; asked once, because a store's summary looks at its file.
  let readOnlyReason: String?

  private struct Inbox {
    var saves: [SavedChange] = []
    var wake: (@Sendable () -> Void)?
  }

  private struct State {
    var inboxes: [Int: Inbox] = [:]
    var nextInbox = 0
  }

  private let state = Mutex(State())

  /// Makes a coordinator.
  ///
  /// - Parameter store: The store.
  public init(store: any PersistentStore) {
    self.store = store
    readOnlyReason = store.summary.readOnlyReason
  }

  /// The entities of the store.
  public var model: ManagedObjectModel { store.model }

  /// Opens an inbox for a context; what it is posted waits there until it is taken.
  func openInbox() -> Int {
    state.withLock { state in
      defer { state.nextInbox += 1 }
      state.inboxes[state.nextInbox] = Inbox()
      return state.nextInbox
    }
  }

  func closeInbox(_ inbox: Int) { state.withLock { $0.inboxes[inbox] = nil } }

  func setWake(_ wake: (@Sendable () -> Void)?, for inbox: Int) {
    state.withLock { $0.inboxes[inbox]?.wake = wake }
  }

  func takeSaves(from inbox: Int) -> [SavedChange] {
    state.withLock { state in
      guard let saves = state.inboxes[inbox]?.saves, !saves.isEmpty else { return [] }
      state.inboxes[inbox]?.saves = []
      return saves
    }
  }

  /// Puts a save into every inbox but the sender's, then wakes their owners.
  func post(_ change: SavedChange, from sender: Int) {
    let wakes = state.withLock { state in
      for inbox in state.inboxes.keys where inbox != sender {
        state.inboxes[inbox]?.saves.append(change)
      }
      return state.inboxes.filter { $0.key != sender }.compactMap(\.value.wake)
    }
    for wake in wakes { wake() }
  }
}

/// What one context saved, as the others need it.
struct SavedChange: Hashable, Sendable {
  var inserted: [ObjectID]
  /// Inserted and updated rows as they now stand.
  var rows: [ObjectID: RowSnapshot]
  var deleted: [ObjectID]
  /// Relationships whose links changed, by object.
  var linkKeys: [ObjectID: Set<String>]
}
