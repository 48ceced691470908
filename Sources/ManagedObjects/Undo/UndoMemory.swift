import ObjectModel

/// What undo needs after a save: deleted rows and permanent IDs.
struct UndoMemory {
  /// The permanent IDs of objects that undo steps know by temporary ones.
  private var permanentIDs: [ObjectID: ObjectID] = [:]
  /// The rows of deleted objects as they were in the store.
  private var rows: [ObjectID: RowSnapshot] = [:]
  /// Links that were deleted with an object, by the object.
  private var links: [ObjectID: [ObjectLink]] = [:]

  /// The permanent ID of an object that was saved; other IDs are returned as they are.
  func resolve(_ id: ObjectID) -> ObjectID { id.isTemporary ? permanentIDs[id] ?? id : id }

  /// The row of an object whose deletion was saved; nil for other objects.
  func deletedRow(of id: ObjectID) -> RowSnapshot? { rows[id] }

  /// The links that were deleted with an object.
  func deletedLinks(of id: ObjectID) -> [ObjectLink] { links[id] ?? [] }

  /// Remembers what a save deleted and the IDs that it gave.
  mutating func remember(_ result: SaveResult) {
    permanentIDs.merge(result.permanentIDs) { $1 }
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
    (permanentIDs, links) = ([:], [:])
  }
}
