import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

@Suite struct IDTableTests {
  private static let ids = RecordTableTests.ids

  @Test(arguments: 1...8)
  func `it holds what a dictionary holds after random additions, changes and removals`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var table = IDTable<Int>()
    var expected: [ObjectID: Int] = [:]
    for step in 0..<6_000 {
      guard let id = Self.ids.randomElement(using: &generator) else { return }
      // It grows, then shrinks.
      switch Int.random(in: 0..<10, using: &generator) + (step > 3_000 ? 3 : 0) {
      case 0...4:
        let position = table.position(of: id) { step }
        if expected[id] == nil { expected[id] = step }
        #expect(table.entries[position].content == expected[id])
      case 5:
        guard let position = table.position(of: id) else { continue }
        table.change(at: position) { $0 += 1 }
        expected[id]? += 1
      default:
        #expect(table.remove(id) == expected.removeValue(forKey: id))
      }
      #expect(table.position(of: id).map { table.entries[$0].content } == expected[id])
      if step % 100 == 0 { #expect(table.brokenInvariant == nil) }
    }
    for id in Self.ids {
      #expect(table.position(of: id).map { table.entries[$0].content } == expected[id])
    }
    #expect(table.count == expected.count && Set(table.ids) == Set(expected.keys))
    #expect(table.sortedPositions.map { table.entries[$0].id } == expected.keys.sorted())
  }

  @Test func `IDs stay in the order in which they were added`() {
    var table = IDTable<Void>()
    for id in Self.ids { _ = table.position(of: id) {} }
    for id in Self.ids.reversed() { _ = table.position(of: id) {} }
    #expect(Array(table.ids) == Self.ids)
  }

  @Test func `a copy keeps what it has when the table changes`() {
    var table = IDTable<Int>()
    for (number, id) in Self.ids.enumerated() { _ = table.position(of: id) { number } }
    let copy = table
    for id in Self.ids.prefix(100) { _ = table.remove(id) }
    for position in 0..<table.count { table.change(at: position) { $0 = -1 } }
    #expect(copy.entries.map(\.content) == Array(Self.ids.indices))
    #expect(Self.ids.map { copy.position(of: $0) } == Self.ids.indices.map { $0 })
  }

  @Test func `an empty table has nothing`() {
    var table = IDTable<Int>()
    let id = Self.ids[0]
    #expect(table.isEmpty && table.sortedPositions.isEmpty)
    #expect(table.position(of: id) == nil && table.remove(id) == nil)
    _ = table.position(of: id) { 1 }
    #expect(table.remove(id) == 1)
    #expect(table.isEmpty && table.position(of: id) == nil && table.remove(id) == nil)
  }

  @Test(arguments: [0, 1, 100, 1_000])
  func `a table with room for more has the same contents`(room: Int) {
    var table = IDTable<Int>()
    for (number, id) in Self.ids.prefix(50).enumerated() { table.set(number, for: id) }
    var roomy = table
    roomy.reserveCapacity(room)
    for (number, id) in Self.ids.enumerated().reversed() {
      table.set(-number, for: id)
      roomy.set(-number, for: id)
    }
    #expect(roomy == table && roomy.count == Self.ids.count)
    #expect(Self.ids.map { roomy[$0] } == Self.ids.indices.map { -$0 })
    roomy.set(1, for: Self.ids[7])
    #expect(roomy != table)
  }
}
