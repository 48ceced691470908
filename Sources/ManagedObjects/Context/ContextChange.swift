public import ObjectModel

/// What changed in a context, as a value: by object ID, no objects.
public struct ContextChange: Sendable, Hashable {
  /// Objects that came into being, here or in another context.
  public var inserted: Set<ObjectID>
  /// Objects whose values or relationships changed here.
  public var updated: Set<ObjectID>
  /// Objects that are gone, deleted here or elsewhere.
  public var deleted: Set<ObjectID>
  /// Objects that have other values now because the store has.
  public var refreshed: Set<ObjectID>
  /// Objects of which all that was known was dropped.
  public var invalidated: Set<ObjectID>
  /// The permanent IDs that a save gave, by temporary ones.
  public var permanentIDs: [ObjectID: ObjectID]
  /// The names of the attributes and relationships that changed, of updated and refreshed objects.
  public var changedKeys: [ObjectID: Set<String>]

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - inserted: Objects that came into being.
  ///   - updated: Objects that changed here.
  ///   - deleted: Objects that are gone.
  ///   - refreshed: Objects that changed in the store.
  ///   - invalidated: Objects of which all was dropped.
  ///   - permanentIDs: The permanent IDs that a save gave.
  ///   - changedKeys: The names of what changed.
  public init(
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
}
