import ObjectModel

/// Contents by object ID, in the order in which the IDs were added; where one is removed, the last
/// takes its place.
///
/// What a context keeps of changed objects is here: it is nearly always made and changed one object
/// after the other, so that the last ID is looked at before all others, and a content is changed
/// where it is. A dictionary costs several times as much.
struct IDTable<Content> {
  typealias Entry = (id: ObjectID, content: Content)

  /// The contents with their IDs.
  private(set) var entries: ContiguousArray<Entry> = []
  private var table = HashTable()

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// The ID of the last entry; nil if the table is empty.
  private var lastID: ObjectID? { isEmpty ? nil : entries[count - 1].id }

  /// The IDs, in the order of the entries.
  var ids: some RandomAccessCollection<ObjectID> { entries.lazy.map(\.id) }

  /// The positions of the entries in the order of their IDs.
  var sortedPositions: [Int] {
    let positions = entries.indices
    if positions.dropFirst().allSatisfy({ entries[$0 - 1].id < entries[$0].id }) {
      return Array(positions)
    }
    return positions.sorted { entries[$0].id < entries[$1].id }
  }

  /// Makes room for a number of entries in all, if they are many more than there is room for.
  ///
  /// A table that grows by a few entries at a time is never copied for each of them.
  mutating func reserveCapacity(_ count: Int) {
    guard count > entries.capacity * 2 else { return }
    entries.reserveCapacity(count)
    table.reserveCapacity(count)
  }

  /// The position of the entry of an ID, until one is removed; nil if there is none.
  func position(of id: ObjectID) -> Int? {
    guard let lastID else { return nil }
    if lastID == id { return entries.count - 1 }
    // The array would be retained for each comparison of IDs.
    return entries.withUnsafeBufferPointer { entries in
      table.index(id.tableHash) { entries[$0].id == id }
    }
  }

  /// Whether the table contains an ID.
  func contains(_ id: ObjectID) -> Bool { position(of: id) != nil }

  /// Returns the position of the entry of an ID, which is added if the table does not contain it.
  mutating func position(of id: ObjectID, orAppend make: () -> Content) -> Int {
    if let lastID, lastID == id { return entries.count - 1 }
    let position = entries.withUnsafeBufferPointer { entries in
      table.indexOrAdd(id.tableHash) { entries[$0].id == id }
    }
    if let position { return position }
    entries.append((id, make()))
    return entries.count - 1
  }

  /// The content of an ID; nil if the table does not contain it.
  subscript(id: ObjectID) -> Content? { position(of: id).map { entries[$0].content } }

  /// Sets the content of an ID, which is added if the table does not contain it.
  mutating func set(_ content: Content, for id: ObjectID) {
    let count = self.count
    let position = position(of: id) { content }
    if self.count == count { entries[position].content = content }
  }

  /// Changes the content at a position, without a copy of it.
  mutating func change<Result>(at position: Int, _ body: (inout Content) -> Result) -> Result {
    body(&entries[position].content)
  }

  /// Removes an ID and returns its content; the last entry takes its place.
  mutating func remove(_ id: ObjectID) -> Content? {
    guard let position = position(of: id), let lastID else { return nil }
    table.remove(position, id.tableHash, lastHash: lastID.tableHash)
    entries.swapAt(position, entries.count - 1)
    return entries.removeLast().content
  }

  /// What is wrong with the table, for tests; nil if nothing is.
  var brokenInvariant: String? { table.brokenInvariant(hashes: ids.map(\.tableHash)) }
}

extension ObjectID {
  /// The hash by which it is found in the tables of a context.
  var tableHash: UInt32 { UInt32(truncatingIfNeeded: _rawHashValue(seed: 0)) }
}

extension IDTable<Void> {
  /// Adds an ID, if the table does not contain it.
  mutating func insert(_ id: ObjectID) { _ = position(of: id) {} }
}

extension IDTable: Sendable where Content: Sendable {}

extension IDTable: Equatable where Content: Equatable {
  /// Whether two tables have the same contents, in whatever order.
  static func == (left: IDTable, right: IDTable) -> Bool {
    left.count == right.count && left.entries.allSatisfy { right[$0.id] == $0.content }
  }
}
