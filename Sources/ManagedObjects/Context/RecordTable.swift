import ObjectModel

/// The records of a context by ID.
///
/// Each object that is read is inserted, looked up and removed here.
struct RecordTable {
  /// The records; where one is removed, the last takes its place.
  private(set) var all: ContiguousArray<ObjectRecord> = []
  private var table = HashTable()

  /// Returns the record of an ID; nil if the table does not contain it.
  func record(of id: ObjectID) -> ObjectRecord? {
    // The array would be retained for each comparison of IDs.
    all.withUnsafeBufferPointer { all in
      table.index(id.tableHash) { all[$0].id == id }.map { all[$0] }
    }
  }

  /// Returns the record of an ID; inserts one, made with its hash, if the table does not contain the
  /// ID.
  mutating func record(of id: ObjectID, orInsert make: (UInt32) -> ObjectRecord) -> ObjectRecord {
    let hash = id.tableHash
    let index = all.withUnsafeBufferPointer { all in
      table.indexOrAdd(hash) { all[$0].id == id }
    }
    if let index { return all[index] }
    let record = make(hash)
    all.append(record)
    return record
  }

  /// Inserts a record, and replaces one with the same ID.
  mutating func insert(_ record: ObjectRecord) {
    let index = table.indexOrAdd(record.hash) { all[$0].id == record.id }
    if let index { all[index] = record } else { all.append(record) }
  }

  /// Removes a record; does nothing if the table does not contain this instance.
  mutating func remove(_ record: ObjectRecord) {
    let index = all.withUnsafeBufferPointer { all in
      table.index(record.hash) { all[$0] === record }
    }
    guard let index else { return }
    table.remove(index, record.hash, lastHash: all[all.count - 1].hash)
    all.swapAt(index, all.count - 1)
    all.removeLast()
  }

  /// What is wrong with the table, for tests; nil if nothing is.
  var brokenInvariant: String? { table.brokenInvariant(hashes: all.map(\.hash)) }
}
