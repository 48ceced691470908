import ObjectModel

/// The records of a context by ID: a hash table with open addressing.
///
/// Each object that is read is inserted, looked up and removed here. A dictionary of IDs costs
/// several times as much: it copies the IDs, and rehashes those that follow a removed one.
struct RecordTable: ~Copyable {
  private struct Slot {
    /// The hash of the record's ID; 0 while there is no record.
    var hash = 0
    /// The record, which the table retains; nil for a free slot.
    var record: Unmanaged<ObjectRecord>?
  }

  /// As many as a power of two, of which at least a quarter are free.
  private var slots = Self.free(16)
  private var count = 0

  init() {}

  deinit {
    for slot in slots { slot.record?.release() }
    slots.deallocate()
  }

  /// Returns the record of an ID; nil if the table does not contain it.
  func record(of id: ObjectID) -> ObjectRecord? {
    slots[place(of: id, Self.hash(id))].record?.takeUnretainedValue()
  }

  /// Returns the record of an ID; inserts one if the table does not contain the ID.
  mutating func record(of id: ObjectID, orInsert make: () -> ObjectRecord) -> ObjectRecord {
    let hash = Self.hash(id)
    let place = place(of: id, hash)
    if let record = slots[place].record { return record.takeUnretainedValue() }
    let record = make()
    fill(place, Slot(hash: hash, record: .passRetained(record)))
    return record
  }

  /// Inserts a record, and replaces one with the same ID.
  mutating func insert(_ record: ObjectRecord) {
    let hash = Self.hash(record.id)
    let place = place(of: record.id, hash)
    let slot = Slot(hash: hash, record: .passRetained(record))
    guard let old = slots[place].record else { return fill(place, slot) }
    slots[place] = slot
    old.release()
  }

  /// Removes a record; does nothing if the table does not contain this instance.
  mutating func remove(_ record: ObjectRecord) {
    var free = place(of: record.id, Self.hash(record.id))
    guard let own = slots[free].record,
      own.toOpaque() == Unmanaged.passUnretained(record).toOpaque()
    else { return }
    defer { own.release() }
    count -= 1
    // What follows moves up, so that each record is found without passing a free slot.
    var next = after(free)
    while slots[next].record != nil {
      if distance(from: slots[next].hash, to: next) >= distance(from: free, to: next) {
        slots[free] = slots[next]
        free = next
      }
      next = after(next)
    }
    slots[free] = Slot()
  }

  /// All records.
  var all: [ObjectRecord] {
    var records: [ObjectRecord] = []
    records.reserveCapacity(count)
    for slot in slots {
      if let record = slot.record { records.append(record.takeUnretainedValue()) }
    }
    return records
  }

  // MARK: Slots

  private static func free(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot())
    return slots
  }

  private static func hash(_ id: ObjectID) -> Int { id._rawHashValue(seed: 0) }

  private func after(_ place: Int) -> Int { (place + 1) & (slots.count - 1) }

  /// How many slots lie between where a hash belongs and a place after it.
  private func distance(from hash: Int, to place: Int) -> Int {
    (place - hash) & (slots.count - 1)
  }

  /// The slot with the record of an ID, or the free one for it.
  private func place(of id: ObjectID, _ hash: Int) -> Int {
    var place = hash & (slots.count - 1)
    while let record = slots[place].record {
      let isSame = slots[place].hash == hash && record._withUnsafeGuaranteedRef { $0.id == id }
      if isSame { return place }
      place = after(place)
    }
    return place
  }

  private mutating func fill(_ place: Int, _ slot: Slot) {
    slots[place] = slot
    count += 1
    if count * 4 > slots.count * 3 { resize(to: slots.count * 2) }
  }

  private mutating func resize(to size: Int) {
    let old = slots
    slots = Self.free(size)
    for slot in old where slot.record != nil {
      var place = slot.hash & (size - 1)
      while slots[place].record != nil { place = after(place) }
      slots[place] = slot
    }
    old.deallocate()
  }
}
