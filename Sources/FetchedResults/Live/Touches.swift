import ManagedObjects
import ObjectModel

/// Objects whose place or content in a list may have changed, gathered until the list looks at them.
struct Touches {
  var ids: Set<ObjectID> = []
  /// The permanent IDs that saves gave, by temporary ones.
  var permanentIDs: [ObjectID: ObjectID] = [:]
  /// Whether more may have come, gone or moved than can be named.
  var needsRefetch = false
  /// Whether every row may have other content.
  var needsReload = false

  var isEmpty: Bool { ids.isEmpty && permanentIDs.isEmpty && !needsRefetch && !needsReload }

  mutating func formUnion(_ other: Touches) {
    ids.formUnion(other.ids)
    if !other.permanentIDs.isEmpty {
      permanentIDs.merge(other.permanentIDs) { _, new in new }
      ids = Set(ids.map { permanentIDs[$0] ?? $0 })
    }
    needsRefetch = needsRefetch || other.needsRefetch
    needsReload = needsReload || other.needsReload
  }

  init() {}

  /// Finds what a change of a context means to a list.
  init(_ change: ContextChange, for query: LiveQuery, in context: ManagedObjectContext) {
    for part in [
      change.inserted, change.updated, change.deleted, change.refreshed, change.invalidated,
    ] {
      ids.formUnion(part.lazy.filter(query.concerns))
    }
    permanentIDs = change.permanentIDs.filter { query.concerns($0.key) }
    if !query.dependencies.isEmpty {
      if let affected = query.dependencies.affected(by: change, in: context) {
        ids.formUnion(affected.lazy.filter(query.concerns))
      } else {
        needsRefetch = true
      }
    }
    ids = Set(ids.map { permanentIDs[$0] ?? $0 }).union(permanentIDs.values)
  }
}
