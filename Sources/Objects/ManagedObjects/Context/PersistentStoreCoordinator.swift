public import ObjectModel
import Synchronization

/// Connects contexts with the store that they share, and passes the saves of each to the others.
///
/// It may be used from any thread. It passes on only values: IDs and snapshots.
public final class PersistentStoreCoordinator: Sendable {
  /// The store.
  public let store: any PersistentStore
  /// The classes of entities, which every context of the coordinator has.
  package let entityClasses: [any EntityClass.Type]
  private let wasReadOnly: Bool

  private struct Inbox {
    var saves: [SavedChange] = []
    var wake: (@Sendable () -> Void)?
  }

  private struct State {
    var inboxes: [Int: Inbox] = [:]
    var nextInbox = 0
    /// How many saves are being written, and are not in the inboxes yet.
    var begunSaves = 0
  }

  private let state = Mutex(State())
  /// Held while a save is written and queued, so that saves are queued in the order of commits.
  private let saving = Mutex(())

  /// Creates a coordinator.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entityClasses: The classes of entities, for all contexts: the list that `cardfile generate`
  ///     writes. A class that is only fetched and inserted by its own type need not be in it.
  public init(store: any PersistentStore, entityClasses: [any EntityClass.Type] = []) {
    self.store = store
    self.entityClasses = entityClasses
    EntityClasses.note(entityClasses, in: store.model)
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

  /// Whether the store may have what others saved, and what the owner of an inbox has not taken yet.
  func hasSaves(for inbox: Int) -> Bool {
    state.withLock { $0.begunSaves > 0 || $0.inboxes[inbox]?.saves.isEmpty == false }
  }

  /// Saves a request of a context, and passes it on to all others.
  ///
  /// - Parameters:
  ///   - request: What to write.
  ///   - sender: The inbox of the context.
  ///   - changedKeys: Returns the attributes and relationships that a result changed, by object. It
  ///     is called only if there are other contexts.
  /// - Returns: What the store returns.
  /// - Throws: `StoreError` as the store does; nothing is written or passed on then.
  func save(
    _ request: SaveRequest, from sender: Int,
    changedKeys: (SaveResult) -> [ObjectID: Set<String>]
  ) throws(StoreError) -> SaveResult {
    try writing(from: sender) { () throws(StoreError) in
      try store.save(request)
    } passingOn: {
      SavedChange(request, $0, changedKeys($0))
    }
  }

  /// Deletes the objects of a fetch with one statement, and passes that on to all contexts.
  ///
  /// - Parameters:
  ///   - plan: The fetch, of all objects that meet its predicate.
  ///   - store: The store, which has no obstacle to it.
  /// - Returns: The objects.
  /// - Throws: `StoreError` as the store does; nothing is deleted or passed on then.
  func deleteAll(_ plan: FetchPlan, with store: any StatementDeleting) throws(StoreError)
    -> [ObjectID]
  {
    try writing(from: nil) { () throws(StoreError) in
      try store.deleteAll(plan, expecting: nil, returnsIDs: true, control: FetchControl.current).ids
    } passingOn: { ids in
      var request = SaveRequest()
      request.deleted = ids.map { RowDeletion(id: $0, version: nil) }
      return SavedChange(request, SaveResult(), [:])
    }
  }

  /// Writes to the store, and passes what was written on to every inbox but the sender's, which may
  /// be none.
  private func writing<Written: Sendable>(
    from sender: Int?, _ write: () throws(StoreError) -> Written,
    passingOn change: (Written) -> SavedChange
  ) throws(StoreError) -> Written {
    let (written, wakes) = try saving.withLock {
      _ throws(StoreError) -> (Written, [@Sendable () -> Void]) in
      state.withLock { $0.begunSaves += 1 }
      defer { state.withLock { $0.begunSaves -= 1 } }
      let written = try write()
      return (written, post(from: sender) { change(written) })
    }
    for wake in wakes { wake() }
    return written
  }

  /// Adds a save to every inbox but the sender's, which may be none; returns their wake closures.
  private func post(from sender: Int?, _ change: () -> SavedChange) -> [@Sendable () -> Void] {
    state.withLock { state in
      let others = state.inboxes.keys.filter { $0 != sender }
      guard !others.isEmpty else { return [] }
      let change = change()
      return others.compactMap { inbox in
        state.inboxes[inbox]?.saves.append(change)
        return state.inboxes[inbox]?.wake
      }
    }
  }
}

/// A save of one context, for merging into the others: which objects and properties it has changed,
/// but not how, because another save may have changed them again by the time it is merged.
struct SavedChange: Sendable {
  let inserted: [ObjectID]
  let updated: [ObjectID]
  let deleted: [ObjectID]
  /// The names of what changed of the updated objects, and of relationships whose links changed.
  let changedKeys: [ObjectID: Set<String>]

  init(_ request: SaveRequest, _ result: SaveResult, _ changedKeys: [ObjectID: Set<String>]) {
    inserted = request.inserted.map { result.permanentIDs[$0.id] ?? $0.id }
    // The result has rows that the store changed in addition, but need not have all of the request.
    updated = Array(
      Set(request.updated.map(\.id)).union(result.snapshots.keys).subtracting(inserted))
    deleted = Array(Set(request.deleted.map(\.id)).union(result.deletedRows.lazy.map(\.id)))
    self.changedKeys = changedKeys
  }
}
