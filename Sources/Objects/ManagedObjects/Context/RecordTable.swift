import ObjectModel

/// The records of a context by ID: a hash table with open addressing.
///
/// Each object that is read is inserted, looked up and removed here. The slots hold the records
/// themselves: with an array of records beside a `HashTable`, as other containers have, firing faults
/// takes a tenth longer.
struct RecordTable: ~Copyable {
  /// A record, which the table retains; nil for a free slot.
  private typealias Slot = Unmanaged<ObjectRecord>?

  /// As many as a power of two, of which at least a quarter are free.
  private var slots = Self.free(16)
  private var count = 0

  init() {}

  deinit {
    for slot in slots { slot?.release() }
    slots.deallocate()
  }

  /// Returns the record of an ID; nil if the table does not contain it.
  func record(of id: ObjectID) -> ObjectRecord? {
    slots[index(of: id, id.tableHash)]?.takeUnretainedValue()
  }

  /// Returns the record of an ID; inserts one, made with its hash, if the table does not contain the
  /// ID.
  mutating func record(of id: ObjectID, orInsert make: (UInt32) -> ObjectRecord) -> ObjectRecord {
    let hash = id.tableHash
    let index = index(of: id, hash)
    if let record = slots[index] { return record.takeUnretainedValue() }
    let record = make(hash)
    fill(index, .passRetained(record))
    return record
  }

  /// Inserts a record, and replaces one with the same ID.
  mutating func insert(_ record: ObjectRecord) {
    let index = index(of: record.id, record.hash)
    guard let old = slots[index] else { return fill(index, .passRetained(record)) }
    slots[index] = .passRetained(record)
    old.release()
  }

  /// Removes a record; does nothing if the table does not contain this instance.
  mutating func remove(_ record: ObjectRecord) {
    let own = Unmanaged.passUnretained(record)
    guard var free = index(of: own, record.hash) else { return }
    defer { own.release() }
    count -= 1
    // What follows moves up, so that each record is found without passing a free slot.
    var next = after(free)
    while let follower = slots[next] {
      if distance(from: Self.hash(follower), to: next) >= distance(from: free, to: next) {
        slots[free] = follower
        free = next
      }
      next = after(next)
    }
    slots[free] = nil
  }

  /// All records.
  var all: [ObjectRecord] {
    var records: [ObjectRecord] = []
    records.reserveCapacity(count)
    for slot in slots {
      if let slot { records.append(slot.takeUnretainedValue()) }
    }
    return records
  }

  /// What is wrong with the table, for tests; nil if nothing is.
  var brokenInvariant: String? {
    let all = all
    if all.count != count || count * 4 > slots.count * 3 || slots.count & (slots.count - 1) != 0 {
      return "\(all.count) of \(slots.count) slots have records of \(count)"
    }
    let lost = all.first { record(of: $0.id) !== $0 }
    return lost.map { "the record of \($0.id) is not found" }
  }

  // MARK: Slots

  private static func free(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: nil)
    return slots
  }

  private static func hash(_ slot: Unmanaged<ObjectRecord>) -> Int {
    Int(slot._withUnsafeGuaranteedRef(\.hash))
  }

  private func after(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  /// How many slots lie between where a hash belongs and an index after it.
  private func distance(from hash: Int, to index: Int) -> Int {
    (index - hash) & (slots.count - 1)
  }

  /// The slot with the record of an ID, or the free one for it.
  private func index(of id: ObjectID, _ hash: UInt32) -> Int {
    var index = Int(hash) & (slots.count - 1)
    while let slot = slots[index] {
      if slot._withUnsafeGuaranteedRef({ $0.hash == hash && $0.id == id }) { return index }
      index = after(index)
    }
    return index
  }

  /// The slot of a record; nil if the table does not contain it.
  private func index(of record: Unmanaged<ObjectRecord>, _ hash: UInt32) -> Int? {
    var index = Int(hash) & (slots.count - 1)
    while let slot = slots[index] {
      if slot.toOpaque() == record.toOpaque() { return index }
      index = after(index)
    }
    return nil
  }

  private mutating func fill(_ index: Int, _ slot: Unmanaged<ObjectRecord>) {
    slots[index] = slot
    count += 1
    if count * 4 > slots.count * 3 { resize(to: slots.count * 2) }
  }

  private mutating func resize(to size: Int) {
    let old = slots
    slots = Self.free(size)
    for case let slot? in old {
      var index = Self.hash(slot) & (size - 1)
      while slots[index] != nil { index = after(index) }
      slots[index] = slot
    }
    old.deallocate()
  }
}
