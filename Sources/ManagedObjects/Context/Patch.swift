import ObjectModel

/// New values for some columns of a row.
struct Patch: Sendable {
  var values = IndexMap<Value>()
  var toOne = IndexMap<ObjectID?>()

  init() {}

  /// The difference between two rows.
  init(from old: RowSnapshot, to new: RowSnapshot) {
    for (index, value) in new.values.enumerated()
    where index >= old.values.count || old.values[index] != value {
      values.append(value, at: index)
    }
    for (index, id) in new.toOne.enumerated()
    where index >= old.toOne.count || old.toOne[index] != id {
      toOne.append(id, at: index)
    }
  }

  /// The difference between an empty row and another.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - isRestored: Whether it was deleted before: it gets its nulls again, not the defaults of
  ///     the columns.
  init(toNew row: RowSnapshot, isRestored: Bool = false) {
    for (index, value) in row.values.enumerated() where isRestored || !value.isNull {
      values.append(value, at: index)
    }
    for (index, id) in row.toOne.enumerated() where isRestored || id != nil {
      toOne.append(id, at: index)
    }
  }

  var isEmpty: Bool { values.isEmpty && toOne.isEmpty }

  /// The part of the patch that changes a row.
  func changing(_ row: RowSnapshot) -> Patch {
    var patch = Patch()
    for (index, value) in values
    where row.values.indices.contains(index) && row.values[index] != value {
      patch.values.append(value, at: index)
    }
    for (index, id) in toOne where row.toOne.indices.contains(index) && row.toOne[index] != id {
      patch.toOne.append(id, at: index)
    }
    return patch
  }

  /// The patch that undoes this one on a row.
  func inverse(on row: RowSnapshot) -> Patch {
    var inverse = Patch()
    for (index, _) in values where row.values.indices.contains(index) {
      inverse.values.append(row.values[index], at: index)
    }
    for (index, _) in toOne where row.toOne.indices.contains(index) {
      inverse.toOne.append(row.toOne[index], at: index)
    }
    return inverse
  }

  func names(in entity: EntityDescription) -> Set<String> {
    var names: Set<String> = []
    for (index, _) in values where entity.attributes.indices.contains(index) {
      names.insert(entity.attributes[index].name)
    }
    for (index, _) in toOne where entity.toOneRelationships.indices.contains(index) {
      names.insert(entity.toOneRelationships[index].name)
    }
    return names
  }
}

extension RowSnapshot {
  mutating func apply(_ patch: Patch) {
    for (index, value) in patch.values where values.indices.contains(index) {
      values[index] = value
      if !cutLengths.isEmpty { cutLengths[index] = nil }
    }
    for (index, id) in patch.toOne where toOne.indices.contains(index) { toOne[index] = id }
  }

  func applying(_ patch: Patch) -> RowSnapshot {
    var row = self
    row.apply(patch)
    return row
  }

  /// Whether two rows have the same values and destinations, regardless of their versions.
  func hasSameContents(as other: RowSnapshot) -> Bool {
    values == other.values && toOne == other.toOne
  }
}
