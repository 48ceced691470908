import ObjectModel

/// What undo needs after a save: deleted rows and links.
struct UndoMemory {
  /// The rows that a save deleted, and how many of them have not been restored.
  ///
  /// They are what their objects have when undo makes new ones of them.
  private struct Deletion {
    var rows: [NewRow]
    var count: Int
  }

  /// Where the row of a deleted object is.
  private struct Position {
    let deletion: UInt32
    let row: UInt32
  }

  /// The rows of deleted objects as they were in the store, by save.
  private var deletions: [Deletion] = []
  private var positions = IDTable<Position>()
  /// Links that were deleted with an object, by the object.
  private var links: [ObjectID: [ObjectLink]] = [:]

  /// The to-one relationships of deleted objects that led nowhere in the store.
  private var missing: [ObjectID: Set<String>] = [:]

  /// The row of an object whose deletion was saved; nil for other objects.
  func deletedRow(of id: ObjectID) -> NewRow? {
    guard let index = positions.position(of: id) else { return nil }
    let position = positions.entries[index].content
    return deletions[Int(position.deletion)].rows[Int(position.row)]
  }

  /// Whether the deletion of any object was saved.
  var hasDeletions: Bool { !positions.isEmpty }

  /// Whether the deletion of an object was saved.
  func isDeleted(_ id: ObjectID) -> Bool { positions.contains(id) }

  /// The to-one relationships of a deleted object whose destination did not exist.
  func missingDestinations(of id: ObjectID) -> Set<String> {
    missing.isEmpty ? [] : missing[id] ?? []
  }

  /// The links that were deleted with an object.
  func deletedLinks(of id: ObjectID) -> [ObjectLink] {
    links.isEmpty ? [] : links[id] ?? []
  }

  /// Remembers what a save deleted.
  mutating func remember(_ result: SaveResult) {
    remember(result.deletedRows)
    missing.merge(result.missingDestinations) { $1 }
    for link in result.deletedLinks {
      for end in [link.source, link.destination] where isDeleted(end) {
        links[end, default: []].append(link)
      }
    }
  }

  private mutating func remember(_ rows: [RowSnapshot]) {
    guard !rows.isEmpty else { return }
    let isFirst = positions.isEmpty
    let deletion = UInt32(deletions.count)
    positions.reserveCapacity(positions.count + rows.count)
    deletions.append(Deletion(rows: rows.map(NewRow.init), count: rows.count))
    // By index, so that no row is copied just for its ID.
    for index in rows.indices {
      let id = rows[index].id
      if !isFirst { removePosition(of: id) }
      _ = positions.position(of: id) { Position(deletion: deletion, row: UInt32(index)) }
    }
  }

  private mutating func removePosition(of id: ObjectID) {
    guard let position = positions.remove(id) else { return }
    let index = Int(position.deletion)
    deletions[index].count -= 1
    if deletions[index].count == 0 { deletions[index].rows = [] }
    while deletions.last?.count == 0 { deletions.removeLast() }
  }

  /// Forgets the deletion of an object that exists again.
  mutating func forgetDeletion(of id: ObjectID) {
    removePosition(of: id)
    if !links.isEmpty { links[id] = nil }
    if !missing.isEmpty { missing[id] = nil }
  }

  /// Forgets all but the rows of some objects; returns the objects whose rows are forgotten.
  mutating func removeAll(exceptRows isKept: (ObjectID) -> Bool) -> [ObjectID] {
    let forgotten = positions.ids.filter { !isKept($0) }
    for id in forgotten { removePosition(of: id) }
    missing = missing.filter { isKept($0.key) }
    links = [:]
    return forgotten
  }
}

/// Objects that were inserted one after the other in an undo group: one step undoes them.
final class InsertedRun {
  var ids: [ObjectID]
  private var step: UndoHistory.StepPosition?

  init(_ id: ObjectID) { ids = [id] }

  /// Notes that the run is undone by the step that was registered last.
  func noteLastStep(of history: UndoHistory) { step = history.lastStep }

  /// Whether nothing was registered after the run.
  func endsWithLastStep(of history: UndoHistory) -> Bool {
    step != nil && step == history.lastStep
  }
}
