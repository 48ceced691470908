import ObjectModel

/// Contents by object ID, in the order in which the IDs were added; where one is removed, the last
/// takes its place.
///
/// What a context keeps of changed objects is here: it is nearly always made and changed one object
/// after the other, so that the last ID is looked at before all others, and a content is changed
/// where it is. A dictionary costs several times as much. A ``RecordTable`` probes in the same way,
/// and keeps references alone.
struct IDTable<Content> {
  typealias Entry = (id: ObjectID, content: Content)

  /// The contents with their IDs.
  private(set) var entries: ContiguousArray<Entry> = []
  /// A hash table with open addressing, of the places of the entries.
  ///
  /// As many as a power of two, of which at least a quarter are free; none if nothing was added.
  private var slots: ContiguousArray<Slot> = []

  private struct Slot {
    static var free: Slot { Slot(hash: 0, number: 0) }

    let hash: UInt32
    /// The place of the entry, counted from 1; 0 is free.
    var number: UInt32

    var isFree: Bool { number == 0 }
    var place: Int { Int(number) - 1 }
  }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// The ID of the last entry; nil if the table is empty.
  private var lastID: ObjectID? { isEmpty ? nil : entries[count - 1].id }

  /// The IDs, in the order of the entries.
  var ids: some RandomAccessCollection<ObjectID> { entries.lazy.map(\.id) }

  /// The places of the entries in the order of their IDs.
  var sortedPlaces: [Int] {
    let places = entries.indices
    if places.dropFirst().allSatisfy({ entries[$0 - 1].id < entries[$0].id }) {
      return Array(places)
    }
    return places.sorted { entries[$0].id < entries[$1].id }
  }

  /// Makes room for a number of entries in all, if they are many more than there is room for.
  ///
  /// A table that grows by a few entries at a time is never copied for each of them.
  mutating func reserveCapacity(_ count: Int) {
    guard count > entries.capacity * 2 else { return }
    entries.reserveCapacity(count)
    var size = max(slots.count, 16)
    while count * 4 > size * 3 { size *= 2 }
    if size > slots.count { resize(to: size) }
  }

  /// The place of the entry of an ID, until one is removed; nil if there is none.
  func place(of id: ObjectID) -> Int? {
    guard let lastID else { return nil }
    if lastID == id { return entries.count - 1 }
    let slot = slots[index(of: id, id.tableHash)]
    return slot.isFree ? nil : slot.place
  }

  /// Whether the table contains an ID.
  func contains(_ id: ObjectID) -> Bool { place(of: id) != nil }

  /// Returns the place of the entry of an ID, which is added if the table does not contain it.
  mutating func place(of id: ObjectID, orAppend make: () -> Content) -> Int {
    if let lastID, lastID == id { return entries.count - 1 }
    if (entries.count + 1) * 4 > slots.count * 3 { resize(to: max(slots.count * 2, 16)) }
    let hash = id.tableHash
    let index = index(of: id, hash)
    guard slots[index].isFree else { return slots[index].place }
    entries.append((id, make()))
    slots[index] = Slot(hash: hash, number: UInt32(entries.count))
    return entries.count - 1
  }

  /// The content of an ID; nil if the table does not contain it.
  subscript(id: ObjectID) -> Content? { place(of: id).map { entries[$0].content } }

  /// Sets the content of an ID, which is added if the table does not contain it.
  mutating func set(_ content: Content, for id: ObjectID) {
    let count = self.count
    let place = place(of: id) { content }
    if self.count == count { entries[place].content = content }
  }

  /// Changes the content at a place, without a copy of it.
  mutating func change<Result>(at place: Int, _ body: (inout Content) -> Result) -> Result {
    body(&entries[place].content)
  }

  /// Removes an ID and returns its content; the last entry takes its place.
  mutating func remove(_ id: ObjectID) -> Content? {
    guard let lastID else { return nil }
    let index = index(of: id, id.tableHash)
    guard !slots[index].isFree else { return nil }
    let place = slots[index].place
    slots[self.index(of: lastID, lastID.tableHash)].number = UInt32(place) + 1
    free(index)
    entries.swapAt(place, entries.count - 1)
    return entries.removeLast().content
  }

  /// Frees a slot; what follows moves up, so that each ID is found without passing a free slot.
  private mutating func free(_ index: Int) {
    let mask = slots.count - 1
    var (free, next) = (index, (index + 1) & mask)
    while !slots[next].isFree {
      let home = Int(slots[next].hash) & mask
      if (next - home) & mask >= (next - free) & mask {
        slots[free] = slots[next]
        free = next
      }
      next = (next + 1) & mask
    }
    slots[free] = .free
  }

  /// The index of the slot of an ID, or of the free one for it.
  private func index(of id: ObjectID, _ hash: UInt32) -> Int {
    // The array would be retained for each comparison of IDs.
    slots.withUnsafeBufferPointer { slots in
      entries.withUnsafeBufferPointer { entries in
        var index = Int(hash) & (slots.count - 1)
        while !slots[index].isFree {
          let slot = slots[index]
          if slot.hash == hash, entries[slot.place].id == id { return index }
          index = (index + 1) & (slots.count - 1)
        }
        return index
      }
    }
  }

  private mutating func resize(to size: Int) {
    let old = slots
    slots = ContiguousArray(repeating: .free, count: size)
    for slot in old where !slot.isFree {
      var index = Int(slot.hash) & (size - 1)
      while !slots[index].isFree { index = (index + 1) & (size - 1) }
      slots[index] = slot
    }
  }
}

extension ObjectID {
  /// The hash by which it is found in the tables of a context.
  var tableHash: UInt32 { UInt32(truncatingIfNeeded: _rawHashValue(seed: 0)) }
}

extension IDTable<Void> {
  /// Adds an ID, if the table does not contain it.
  mutating func insert(_ id: ObjectID) { _ = place(of: id) {} }
}

extension IDTable: Sendable where Content: Sendable {}

extension IDTable: Equatable where Content: Equatable {
  /// Whether two tables have the same contents, in whatever order.
  static func == (left: IDTable, right: IDTable) -> Bool {
    left.count == right.count && left.entries.allSatisfy { right[$0.id] == $0.content }
  }
}
