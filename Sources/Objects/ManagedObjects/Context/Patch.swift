import ObjectModel

/// New values for some columns of a row.
struct Patch: Sendable {
  var values = IndexMap<Value>()
  var toOne = IndexMap<ObjectID?>()
  /// The full lengths of those values that are truncated; see ``RowSnapshot/cutLengths``.
  private(set) var cutLengths: [Int: Int] = [:]
  /// The hashes of those values that are long; see ``RowSnapshot/longHashes``.
  private(set) var longHashes: [Int: UInt64] = [:]
  /// The attributes without a value of their own; see ``RowSnapshot/unset``.
  private(set) var unset: Set<Int> = []

  init() {}

  /// The difference between two rows.
  init(from old: RowSnapshot, to new: RowSnapshot) {
    for index in new.indexes(differingFrom: old) { values.append(new.values[index], at: index) }
    note(new)
    for (index, id) in new.toOne.enumerated()
    where index >= old.toOne.count || old.toOne[index] != id {
      toOne.append(id, at: index)
    }
  }

  /// What was set in a new row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - unset: The indexes of the attributes that were not set.
  ///   - isRestored: Whether it was deleted before: then it has no to-one relationships again where
  ///     it had none, whatever the defaults of their columns are.
  init(toNew row: RowSnapshot, unset: Set<Int>, isRestored: Bool) {
    for (index, value) in row.values.enumerated() where !unset.contains(index) {
      values.append(value, at: index)
    }
    for (index, id) in row.toOne.enumerated() where isRestored || id != nil {
      toOne.append(id, at: index)
    }
    note(row)
  }

  /// What makes one row equal another; truncated values, which are not known in full, are left.
  init(overwriting old: RowSnapshot, with new: RowSnapshot) {
    self.init(from: old, to: new)
    values = values.filter { new.cutLengths[$0] == nil }
    note(new)
  }

  /// The patch without the properties that another one changes.
  func without(_ other: Patch) -> Patch {
    var patch = self
    patch.values = values.filter { other.values[$0] == nil }
    patch.toOne = toOne.filter { other.toOne[$0] == nil }
    patch.cutLengths = cutLengths.filter { patch.values[$0.key] != nil }
    patch.longHashes = longHashes.filter { patch.values[$0.key] != nil }
    patch.unset = unset.filter { patch.values[$0] != nil }
    return patch
  }

  /// The part of the patch that changes some properties, with the foreign keys of relationships.
  func only(_ names: Set<String>, in info: EntityInfo) -> Patch {
    var attributes: Set<Int> = []
    for (index, name) in info.attributeNames.enumerated() where names.contains(name) {
      attributes.insert(index)
    }
    for (index, relationship) in info.toOne.enumerated() where names.contains(relationship.name) {
      attributes.formUnion(info.foreignKeys[index])
    }
    var patch = self
    patch.values = values.filter { attributes.contains($0) }
    patch.toOne = toOne.filter { names.contains(info.toOne[$0].name) }
    patch.cutLengths = cutLengths.filter { attributes.contains($0.key) }
    patch.longHashes = longHashes.filter { attributes.contains($0.key) }
    return patch
  }

  var isEmpty: Bool { values.isEmpty && toOne.isEmpty }

  /// The part of the patch that changes a row.
  func changing(_ row: RowSnapshot) -> Patch {
    var patch = Patch()
    let rowUnset = row.unset
    for (index, value) in values
    where row.values.indices.contains(index)
      && (row.values[index] != value || rowUnset.contains(index) != unset.contains(index))
    {
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
    inverse.note(row)
    return inverse
  }

  /// Notes which of the values come truncated from a row, their hashes, and those that are unset.
  private mutating func note(_ row: RowSnapshot) {
    if row.exceptions == nil { return }
    unset = row.unset.filter { values[$0] != nil }
    cutLengths = row.cutLengths.filter { values[$0.key] != nil }
    longHashes = row.longHashes.filter { values[$0.key] != nil }
  }

  /// The names of the properties that it changes.
  func names(in info: EntityInfo) -> Set<String> {
    var names = info.names(ofAttributes: values.indexes)
    for (index, _) in toOne where info.toOne.indices.contains(index) {
      names.insert(info.toOne[index].name)
    }
    return names
  }
}

extension RowSnapshot {
  mutating func apply(_ patch: Patch) {
    for (index, value) in patch.values where values.indices.contains(index) {
      values[index] = value
      if !isWhole || !patch.cutLengths.isEmpty {
        cutLengths[index] = patch.cutLengths[index]
      }
      if !longHashes.isEmpty || !patch.longHashes.isEmpty {
        longHashes[index] = patch.longHashes[index]
      }
    }
    let unset = unset
    if !unset.isEmpty || !patch.unset.isEmpty {
      self.unset = unset.filter { patch.values[$0] == nil }.union(patch.unset)
    }
    for (index, id) in patch.toOne where toOne.indices.contains(index) { toOne[index] = id }
  }

  func applying(_ patch: Patch) -> RowSnapshot {
    var row = self
    row.apply(patch)
    return row
  }

  /// The indexes of the values that differ from those of another row, or that it does not have.
  func indexes(differingFrom other: RowSnapshot) -> [Int] {
    if isWhole, other.isWhole {
      let differing = values.indexes(differingFrom: other.values)
      let unset = unset.symmetricDifference(other.unset)
      return unset.isEmpty ? differing : unset.union(differing).sorted()
    }
    let count = other.values.count
    return values.indices.filter { $0 >= count || !other.hasSameValue(as: self, at: $0) }
  }

  /// Whether two rows have the same value at an index; a truncated one equals a value of its full
  /// length that begins in the same way and has its hash.
  func hasSameValue(as other: RowSnapshot, at index: Int) -> Bool {
    let (cut, otherCut) = (cutLengths[index], other.cutLengths[index])
    if cut == nil, otherCut == nil { return values.isEqual(to: other.values, at: index) }
    let (value, otherValue) = (values[index], other.values[index])
    if let hash = longHash(at: index), let other = other.longHash(at: index), hash != other {
      return false
    }
    switch (value, otherValue) {
    case (.string(let text), .string(let otherText)):
      let (bytes, otherBytes) = (text.utf8, otherText.utf8)
      let count = min(bytes.count, otherBytes.count)
      return cut ?? bytes.count == otherCut ?? otherBytes.count
        && bytes.prefix(count).elementsEqual(otherBytes.prefix(count))
    case (.data(let data), .data(let otherData)):
      let count = min(data.count, otherData.count)
      return cut ?? data.count == otherCut ?? otherData.count
        && data.prefix(count) == otherData.prefix(count)
    default: return false
    }
  }

  /// The hash of a long value; nil if it is truncated and its hash is not known.
  private func longHash(at index: Int) -> UInt64? {
    longHashes[index] ?? (cutLengths[index] == nil ? values[index].longHash : nil)
  }
}

/// New values for some columns of a row, by the column's index, in insertion order.
///
/// A change has few columns: a linear search costs less than hashing.
struct IndexMap<Content: Sendable>: Sendable {
  private var entries: [(index: Int, content: Content)] = []

  /// The indexes, each once.
  var indexes: [Int] { entries.map(\.index) }

  subscript(index: Int) -> Content? {
    get { entries.first { $0.index == index }?.content }
    set {
      let position = entries.firstIndex { $0.index == index }
      switch (position, newValue) {
      case (let position?, let content?): entries[position].content = content
      case (let position?, nil): entries.remove(at: position)
      case (nil, let content?): entries.append((index, content))
      case (nil, nil): break
      }
    }
  }

  /// Adds the value of an index that the map does not contain.
  mutating func append(_ content: Content, at index: Int) { entries.append((index, content)) }

  /// The contents of some of the indexes.
  func filter(_ isIncluded: (Int) -> Bool) -> Self {
    var map = self
    map.entries.removeAll { !isIncluded($0.index) }
    return map
  }
}

extension IndexMap: Sequence {
  /// The number of indexes.
  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var first: (index: Int, content: Content)? { entries.first }

  func makeIterator() -> IndexingIterator<[(index: Int, content: Content)]> {
    entries.makeIterator()
  }
}
