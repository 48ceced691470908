import ObjectModel

/// What undo needs after a save: deleted rows and links.
struct UndoMemory {
  /// The rows of deleted objects as they were in the store.
  private var rows: [ObjectID: RowSnapshot] = [:]
  /// Links that were deleted with an object, by the object.
  private var links: [ObjectID: [ObjectLink]] = [:]

  /// The row of an object whose deletion was saved; nil for other objects.
  func deletedRow(of id: ObjectID) -> RowSnapshot? { rows[id] }

  /// The links that were deleted with an object.
  func deletedLinks(of id: ObjectID) -> [ObjectLink] { links[id] ?? [] }

  /// Remembers what a save deleted.
  mutating func remember(_ result: SaveResult) {
    for row in result.deletedRows { rows[row.id] = row }
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
  }

  /// Forgets all but the rows of some objects.
  mutating func removeAll(exceptRows isKept: (ObjectID) -> Bool) {
    rows = rows.filter { isKept($0.key) }
    links = [:]
  }
}
