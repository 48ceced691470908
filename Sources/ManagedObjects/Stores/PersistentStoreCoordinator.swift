public import ObjectModel
import Synchronization

/// Connects contexts with the store that they share, and passes the saves of each to the others.
///
/// It may be used from any thread. It passes on only values: IDs and snapshots.
public final class PersistentStoreCoordinator: Sendable {
  /// The store.
  public let store: any PersistentStore
  private let wasReadOnly: Bool

  private struct Inbox {
    var saves: [SavedChange] = []
    var wake: (@Sendable () -> Void)?
  }

  private struct State {
    var inboxes: [Int: Inbox] = [:]
    var nextInbox = 0
  }

  private let state = Mutex(State())

  /// Creates a coordinator.
  public init(store: any PersistentStore) {
    self.store = store
    wasReadOnly = store.summary.readOnlyReason != nil
  }

  /// Why the store is read-only; nil if it is not.
  ///
  /// A store that was writable is not asked again, because its summary examines its file; the save
  /// refuses what cannot be written any more.
  var readOnlyReason: String? { wasReadOnly ? store.summary.readOnlyReason : nil }

  /// The model of the store.
  public var model: ManagedObjectModel { store.model }

  /// Opens an inbox for a context, in which the saves of others are queued.
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

  /// Adds a save to every inbox but the sender's, then calls their wake closures.
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

/// A save of one context, for merging into the others.
struct SavedChange: Hashable, Sendable {
  var inserted: [ObjectID]
  /// Inserted and updated rows after the save.
  var rows: [ObjectID: RowSnapshot]
  var deleted: [ObjectID]
  /// Relationships whose links changed, by object.
  var linkKeys: [ObjectID: Set<String>]
}
