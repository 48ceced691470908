import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

@Suite struct RecordTableTests {
  /// Integer, temporary and composite keys of two entities, some with equal hashes but for a few
  /// bits.
  static let ids = (0..<400).flatMap { (number: Int) -> [ObjectID] in
    let entityName = number % 2 == 0 ? "Person" : "DVD"
    return [
      .integer(Int64(number)), .temporary(UInt64(number)),
      .composite([.integer(Int64(number / 4)), .string("\(number % 4)")]),
    ].map { ObjectID(storeIdentifier: "store", entityName: entityName, key: $0) }
  }

  @Test(arguments: 1...8)
  func `it holds what a dictionary holds after random insertions and removals`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = RecordTable()
    var expected: [ObjectID: ObjectRecord] = [:]
    for step in 0..<6_000 {
      guard let id = Self.ids.randomElement(using: &generator) else { return }
      // It grows, then shrinks.
      switch Int.random(in: 0..<10, using: &generator) + (step > 3_000 ? 3 : 0) {
      case 0...4:
        let record = table.record(of: id) { ObjectRecord(id, hash: $0) }
        #expect(expected[id] == nil || expected[id] === record)
        expected[id] = record
      case 5:
        let record = ObjectRecord(id, hash: id.tableHash)
        table.insert(record)
        expected[id] = record
      case 6:
        // Another record of the same ID is no reason to remove this one.
        table.remove(ObjectRecord(id, hash: id.tableHash))
      default:
        if let record = expected.removeValue(forKey: id) { table.remove(record) }
      }
      #expect(table.record(of: id) === expected[id])
      if step % 100 == 0 { #expect(table.brokenInvariant == nil) }
    }
    for id in Self.ids { #expect(table.record(of: id) === expected[id]) }
    #expect(Set(table.all.map(\.id)) == Set(expected.keys))
    #expect(table.all.count == expected.count)
  }

  @Test func `it releases what is removed, and all when it ends`() {
    weak var removed: ObjectRecord?
    weak var kept: ObjectRecord?
    do {
      var table = RecordTable()
      removed = table.record(of: Self.ids[0]) { ObjectRecord(Self.ids[0], hash: $0) }
      kept = table.record(of: Self.ids[1]) { ObjectRecord(Self.ids[1], hash: $0) }
      #expect(removed != nil)
      if let removed { table.remove(removed) }
      #expect(removed == nil)
      #expect(kept != nil)
      _ = consume table
    }
    #expect(kept == nil)
  }
}
