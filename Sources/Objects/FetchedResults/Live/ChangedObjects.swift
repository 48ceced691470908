import ManagedObjects
import ObjectModel

/// Objects whose position or content in a list may have changed, collected until it is updated.
struct ChangedObjects {
  var ids: Set<ObjectID> = []
  /// The permanent IDs that saves assigned, by temporary ID.
  var permanentIDs: [ObjectID: ObjectID] = [:]
  /// Whether other rows, which cannot be identified, may have been inserted, deleted or moved.
  var needsRefetch = false
  /// Whether the content of every row may have changed.
  var needsReload = false

  var isEmpty: Bool { ids.isEmpty && permanentIDs.isEmpty && !needsRefetch && !needsReload }

  mutating func formUnion(_ other: ChangedObjects) {
    insert(other.ids)
    if !other.permanentIDs.isEmpty {
      permanentIDs.merge(other.permanentIDs) { _, new in new }
      ids = Set(ids.map { permanentIDs[$0] ?? $0 })
    }
    needsRefetch = needsRefetch || other.needsRefetch
    needsReload = needsReload || other.needsReload
  }

  init() {}

  /// Adds objects; the set itself is kept if there were none, because it may be large.
  private mutating func insert(_ new: Set<ObjectID>) {
    if ids.isEmpty { ids = new } else { ids.formUnion(new) }
  }

  /// Finds the objects of a list that a change of its context affects.
  init(_ change: ContextChange, for query: LiveQuery, in context: ManagedObjectContext) {
    for part in [
      change.inserted, change.updated, change.deleted, change.refreshed, change.invalidated,
    ] {
      // Of a set of which all are concerned, filtering makes no copy.
      insert(part.filter(query.dependencies.concerns))
    }
    permanentIDs = change.permanentIDs.filter { query.dependencies.concerns($0.key) }
    if !query.dependencies.isEmpty {
      if let affected = query.dependencies.affected(by: change, in: context) {
        ids.formUnion(affected.lazy.filter(query.dependencies.concerns))
      } else {
        needsRefetch = true
      }
    }
    if !permanentIDs.isEmpty {
      ids = Set(ids.map { permanentIDs[$0] ?? $0 }).union(permanentIDs.values)
    }
  }
}
