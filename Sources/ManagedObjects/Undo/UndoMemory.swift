import ObjectModel

/// What undo needs after a save: deleted rows and links.
struct UndoMemory {
  /// The rows of deleted objects as they were in the store.
  private var rows: [ObjectID: RowSnapshot] = [:]
  /// Links that were deleted with an object, by the object.
  private var links: [ObjectID: [ObjectLink]] = [:]

  /// The to-one relationships of deleted objects that led nowhere in the store.
  private var missing: [ObjectID: Set<String>] = [:]

  /// The row of an object whose deletion was saved; nil for other objects.
  func deletedRow(of id: ObjectID) -> RowSnapshot? { rows[id] }

  /// The to-one relationships of a deleted object whose destination did not exist.
  func missingDestinations(of id: ObjectID) -> Set<String> { missing[id] ?? [] }

  /// The links that were deleted with an object.
  func deletedLinks(of id: ObjectID) -> [ObjectLink] { links[id] ?? [] }

  /// Remembers what a save deleted.
  mutating func remember(_ result: SaveResult) {
    for row in result.deletedRows { rows[row.id] = row }
    missing.merge(result.missingDestinations) { $1 }
    for link in result.deletedLinks {
      for end in [link.source, link.destination] where rows[end] != nil {
        links[end, default: []].append(link)
      }
    }
  }

  /// Forgets the deletion of an object that exists again.
  mutating func forgetDeletion(of id: ObjectID) {
    rows[id] = nil
    links[id] = nil
    missing[id] = nil
  }

  /// Forgets all but the rows of some objects.
  mutating func removeAll(exceptRows isKept: (ObjectID) -> Bool) {
    rows = rows.filter { isKept($0.key) }
    missing = missing.filter { isKept($0.key) }
    links = [:]
  }
}
