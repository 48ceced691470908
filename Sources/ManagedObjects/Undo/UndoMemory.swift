import ObjectModel

/// What undo needs after a save: deleted rows and links.
struct UndoMemory {
  /// The rows that a save deleted, and how many of them have not been restored.
  private struct Deletion {
    var rows: [RowSnapshot]
    var count: Int
  }

  /// Where the row of a deleted object is.
  private struct Place {
    let deletion: Int
    let row: Int
  }

  /// The rows of deleted objects as they were in the store, by save.
  private var deletions: [Int: Deletion] = [:]
  private var places: [ObjectID: Place] = [:]
  private var nextDeletion = 0
  /// Links that were deleted with an object, by the object.
  private var links: [ObjectID: [ObjectLink]] = [:]

  /// The to-one relationships of deleted objects that led nowhere in the store.
  private var missing: [ObjectID: Set<String>] = [:]

  /// The row of an object whose deletion was saved; nil for other objects.
  func deletedRow(of id: ObjectID) -> RowSnapshot? {
    places[id].flatMap { deletions[$0.deletion]?.rows[$0.row] }
  }

  /// Whether the deletion of any object was saved.
  var hasDeletions: Bool { !places.isEmpty }

  /// Whether the deletion of an object was saved.
  func isDeleted(_ id: ObjectID) -> Bool { !places.isEmpty && places[id] != nil }

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
      for end in [link.source, link.destination] where places[end] != nil {
        links[end, default: []].append(link)
      }
    }
  }

  private mutating func remember(_ rows: [RowSnapshot]) {
    guard !rows.isEmpty else { return }
    let deletion = nextDeletion
    nextDeletion += 1
    let isFirst = places.isEmpty
    places.reserveCapacity(places.count + rows.count)
    for (index, row) in rows.enumerated() {
      if !isFirst { removePlace(of: row.id) }
      places[row.id] = Place(deletion: deletion, row: index)
    }
    deletions[deletion] = Deletion(rows: rows, count: rows.count)
  }

  private mutating func removePlace(of id: ObjectID) {
    guard let place = places.removeValue(forKey: id) else { return }
    deletions[place.deletion]?.count -= 1
    if deletions[place.deletion]?.count == 0 { deletions[place.deletion] = nil }
  }

  /// Forgets the deletion of an object that exists again.
  mutating func forgetDeletion(of id: ObjectID) {
    if !places.isEmpty { removePlace(of: id) }
    if !links.isEmpty { links[id] = nil }
    if !missing.isEmpty { missing[id] = nil }
  }

  /// Forgets all but the rows of some objects.
  mutating func removeAll(exceptRows isKept: (ObjectID) -> Bool) {
    for id in Array(places.keys) where !isKept(id) { removePlace(of: id) }
    missing = missing.filter { isKept($0.key) }
    links = [:]
  }
}
