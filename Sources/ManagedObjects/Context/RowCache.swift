import ObjectModel

/// Rows of unchanged objects: those used recently, and those whose objects are referenced.
///
/// It keeps two generations. A row that is used moves to the young one; when that is full, the old
/// one is evicted except for rows of referenced objects. Memory stays constant while a million rows
/// scroll by.
struct RowCache {
  private var young: [ObjectID: RowSnapshot] = [:]
  private var old: [ObjectID: RowSnapshot] = [:]
  private var limit: Int
  private let generationSize: Int

  init(capacity: Int) {
    generationSize = max(capacity / 2, 1)
    limit = generationSize
  }

  var count: Int { young.count + old.count }
  var ids: [ObjectID] { Array(young.keys) + old.keys }

  mutating func find(_ id: ObjectID) -> RowSnapshot? {
    if let row = young[id] { return row }
    guard !old.isEmpty, let row = old.removeValue(forKey: id) else { return nil }
    young[id] = row
    return row
  }

  func contains(_ id: ObjectID) -> Bool { young[id] != nil || old[id] != nil }

  /// Caches a row.
  ///
  /// `isHeld` returns whether the object of a row that is about to be evicted is referenced.
  mutating func insert(_ row: RowSnapshot, isHeld: (ObjectID) -> Bool) {
    if !old.isEmpty { old[row.id] = nil }
    young[row.id] = row
    if young.count >= limit { age(isHeld) }
  }

  mutating func remove(_ id: ObjectID) {
    if !young.isEmpty { young[id] = nil }
    if !old.isEmpty { old[id] = nil }
  }

  mutating func removeAll() {
    young = [:]
    old = [:]
    limit = generationSize
  }

  mutating func keep(where isKept: (ObjectID) -> Bool) {
    young = young.filter { isKept($0.key) }
    old = old.filter { isKept($0.key) }
    limit = max(generationSize, young.count * 2)
  }

  private mutating func age(_ isHeld: (ObjectID) -> Bool) {
    let held = old.filter { isHeld($0.key) }
    old = young
    young = held
    // Grows with the referenced rows, so that inserting stays O(1) however many there are.
    limit = max(generationSize, held.count * 2)
    young.reserveCapacity(limit)
  }
}
