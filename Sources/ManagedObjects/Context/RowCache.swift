import ObjectModel

/// Snapshots of clean objects: those used lately, and those of objects that someone holds.
///
/// It keeps two generations. What is used moves to the young one; when that is full the old one is let go, but for rows of
/// objects still held. So memory stays flat while a million rows scroll by.
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

  /// Keeps a row.
  ///
  /// `isHeld` says whether someone holds the object of a row that is about to be let go.
  mutating func insert(_ row: RowSnapshot, isHeld: (ObjectID) -> Bool) {
    if !old.isEmpty { old[row.id] = nil }
    young[row.id] = row
    if young.count >= limit { age(isHeld) }
  }

  mutating func remove(_ id: ObjectID) {
    young[id] = nil
    old[id] = nil
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
    // Grows with what is held, so that a row costs the same however many objects someone holds.
    limit = max(generationSize, held.count * 2)
    young.reserveCapacity(limit)
  }
}
