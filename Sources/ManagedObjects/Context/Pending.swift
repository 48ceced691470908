import ObjectModel

/// What a context has done to one object since it was saved.
///
/// It is kept behind a reference: tables of many stay small and are looked up without copying rows.
indirect enum Pending: Hashable, Sendable {
  case inserted(RowSnapshot)
  case updated(base: RowSnapshot, current: RowSnapshot)
  case deleted(Deletion)

  /// The row as it now stands; nil when deleted.
  var current: RowSnapshot? {
    switch self {
    case .inserted(let row), .updated(_, let row): row
    case .deleted: nil
    }
  }

  /// The row as the store has it; nil when it has none, or when it was never read.
  var base: RowSnapshot? {
    switch self {
    case .inserted: nil
    case .updated(let base, _): base
    case .deleted(let deletion): deletion.base
    }
  }

  /// The version of the row that the change was made on; nil for a new object, or when no version is known.
  var version: UInt64? {
    if case .deleted(let deletion) = self { deletion.version } else { base?.version }
  }

  var isDeleted: Bool { if case .deleted = self { true } else { false } }
  var isInserted: Bool { if case .inserted = self { true } else { false } }
  var isUpdated: Bool { if case .updated = self { true } else { false } }
}

/// An unsaved deletion of an object that is in the store.
struct Deletion: Hashable, Sendable {
  /// The row as last read; nil when it was never read.
  var base: RowSnapshot?
  /// The version that the deletion was planned on; nil until it is planned.
  var version: UInt64?
  /// The relationship that the deletion cascaded along; nil for an object that was deleted itself.
  var origin: RelationshipName?
}

/// New contents for some places of a row.
struct Patch: Sendable {
  var values = PlaceMap<Value>()
  var toOne = PlaceMap<ObjectID?>()

  init() {}

  /// What leads from one row to another.
  init(from old: RowSnapshot, to new: RowSnapshot) {
    for (place, value) in new.values.enumerated()
    where place >= old.values.count || old.values[place] != value {
      values.append(value, at: place)
    }
    for (place, id) in new.toOne.enumerated()
    where place >= old.toOne.count || old.toOne[place] != id {
      toOne.append(id, at: place)
    }
  }

  /// What leads from an empty row to another.
  init(toNew row: RowSnapshot) {
    for (place, value) in row.values.enumerated() where !value.isNull {
      values.append(value, at: place)
    }
    for (place, id) in row.toOne.enumerated() where id != nil { toOne.append(id, at: place) }
  }

  var isEmpty: Bool { values.isEmpty && toOne.isEmpty }

  /// The part that makes a row another.
  func changing(_ row: RowSnapshot) -> Patch {
    var patch = Patch()
    for (place, value) in values
    where row.values.indices.contains(place) && row.values[place] != value {
      patch.values.append(value, at: place)
    }
    for (place, id) in toOne where row.toOne.indices.contains(place) && row.toOne[place] != id {
      patch.toOne.append(id, at: place)
    }
    return patch
  }

  /// The patch that takes this one back.
  func inverse(on row: RowSnapshot) -> Patch {
    var inverse = Patch()
    for (place, _) in values where row.values.indices.contains(place) {
      inverse.values.append(row.values[place], at: place)
    }
    for (place, _) in toOne where row.toOne.indices.contains(place) {
      inverse.toOne.append(row.toOne[place], at: place)
    }
    return inverse
  }

  func names(in entity: EntityDescription) -> Set<String> {
    var names: Set<String> = []
    for (place, _) in values where entity.attributes.indices.contains(place) {
      names.insert(entity.attributes[place].name)
    }
    for (place, _) in toOne where entity.toOneRelationships.indices.contains(place) {
      names.insert(entity.toOneRelationships[place].name)
    }
    return names
  }
}

extension RowSnapshot {
  mutating func apply(_ patch: Patch) {
    for (place, value) in patch.values where values.indices.contains(place) {
      values[place] = value
      if !cutLengths.isEmpty { cutLengths[place] = nil }
    }
    for (place, id) in patch.toOne where toOne.indices.contains(place) { toOne[place] = id }
  }

  func applying(_ patch: Patch) -> RowSnapshot {
    var row = self
    row.apply(patch)
    return row
  }

  /// Whether another row holds the same, whatever its version.
  func hasSameContents(as other: RowSnapshot) -> Bool {
    values == other.values && toOne == other.toOne
  }
}
