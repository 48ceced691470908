public import ObjectModel

/// What changed in a context, by object ID.
public struct ContextChange: Sendable, Hashable {
  /// Objects that were inserted, in this context or another.
  public var inserted: Set<ObjectID>
  /// Objects whose attributes or relationships changed in this context.
  public var updated: Set<ObjectID>
  /// Objects that were deleted, in this context or elsewhere.
  public var deleted: Set<ObjectID>
  /// Objects that changed because the store changed; not those that only got their keys by a save.
  public var refreshed: Set<ObjectID>
  /// Objects whose cached row was discarded.
  public var invalidated: Set<ObjectID>
  /// The permanent IDs that a save assigned, by temporary ID.
  public var permanentIDs: [ObjectID: ObjectID]
  /// The names of the attributes and relationships that changed, for updated and refreshed objects.
  public var changedKeys: [ObjectID: Set<String>]

  /// Creates a change.
  package init(
    inserted: Set<ObjectID> = [], updated: Set<ObjectID> = [], deleted: Set<ObjectID> = [],
    refreshed: Set<ObjectID> = [], invalidated: Set<ObjectID> = [],
    permanentIDs: [ObjectID: ObjectID] = [:], changedKeys: [ObjectID: Set<String>] = [:]
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.refreshed = refreshed
    self.invalidated = invalidated
    self.permanentIDs = permanentIDs
    self.changedKeys = changedKeys
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && invalidated.isEmpty && permanentIDs.isEmpty
  }

  /// Notes that properties of an object changed because the store changed.
  mutating func noteRefreshed(_ id: ObjectID, _ keys: some Sequence<String>) {
    refreshed.insert(id)
    changedKeys[id, default: []].formUnion(keys)
  }

  /// Leaves out that a deleted object was changed too: an object is noted as the former owner of
  /// another before its own row is found to be gone.
  mutating func forgetUpdatesOfDeleted() {
    guard !deleted.isEmpty else { return }
    refreshed.subtract(deleted)
    for id in deleted { changedKeys[id] = nil }
  }
}

/// What observers of a context are notified of.
public enum ContextEvent: Sendable, Hashable {
  /// Changes were processed.
  case changed(ContextChange)
  /// Another process changed the store, and the cached rows were read again.
  ///
  /// The change has cached objects only, and is empty if none of them changed: other rows may have
  /// been inserted, deleted or changed too.
  case refreshed(ContextChange)
  /// A save begins; changes made by the observer are part of it.
  case willSave
  /// A save was written. The change has what was written, with the permanent IDs of inserted
  /// objects.
  case didSave(ContextChange)
  /// The context was reset.
  case reset
}

/// An observation of a context, or of a list of it.
///
/// It ends when it is cancelled or deallocated.
public final class ContextObservation {
  private var onCancel: (() -> Void)?

  package init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// Later calls do nothing.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}
