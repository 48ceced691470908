import TestSupport
import Testing

@testable import ObjectModel

@Suite struct PermanentIDsTests {
  private static func id(_ key: Int64, _ entityName: String = "Person") -> ObjectID {
    ObjectID(storeIdentifier: "store", entityName: entityName, key: .integer(key))
  }

  private static func temporary(_ key: UInt64) -> ObjectID {
    ObjectID(storeIdentifier: "", entityName: "Person", key: .temporary(key))
  }

  @Test func `objects inserted one after the other are one run`() {
    let ids = (1...1_000).map { (Self.temporary($0), Self.id(Int64($0) + 70)) }
    let runs = PermanentIDs.Run.all(of: Dictionary(uniqueKeysWithValues: ids))
    #expect(runs.count == 1)
    #expect(runs[0][1_000] == Self.id(1_070))
    #expect(runs[0][1_001] == nil)
    #expect(runs[0][0] == nil)
  }

  @Test func `a run ends where the entity, the key or its kind changes`() {
    let composite = ObjectID(
      storeIdentifier: "store", entityName: "Person", key: .composite([.string("a")]))
    let ids = [
      (Self.temporary(1), Self.id(1)), (Self.temporary(2), Self.id(2, "DVD")),
      (Self.temporary(3), Self.id(3)), (Self.temporary(4), Self.id(9)),
      (Self.temporary(5), composite), (Self.temporary(6), Self.temporary(3)),
      (Self.temporary(8), Self.id(.max)), (Self.temporary(9), Self.id(.min)),
    ]
    let runs = PermanentIDs.Run.all(of: Dictionary(uniqueKeysWithValues: ids))
    var known = PermanentIDs()
    for run in runs { known.add(run) }
    for (temporary, permanent) in ids {
      if case .temporary(let key) = temporary.key { #expect(known[key] == permanent) }
    }
    #expect(known[7] == nil)
    #expect(known[10] == nil)
  }

  @Test(arguments: 1...20)
  func `they are those of a dictionary, in whatever order they are saved`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var known = PermanentIDs()
    var expected: [UInt64: ObjectID] = [:]
    for _ in 0..<200 {
      let first = UInt64.random(in: 1...600, using: &generator)
      var key = Int64.random(in: 1...50, using: &generator)
      var saved: [ObjectID: ObjectID] = [:]
      for temporary in first..<first + UInt64.random(in: 1...9, using: &generator) {
        let entityName = Int.random(in: 0..<6, using: &generator) == 0 ? "DVD" : "Person"
        saved[Self.temporary(temporary)] = Self.id(key, entityName)
        expected[temporary] = Self.id(key, entityName)
        key += Int.random(in: 0..<5, using: &generator) == 0 ? 2 : 1
      }
      for run in PermanentIDs.Run.all(of: saved) { known.add(run) }
    }
    for key in 0..<700 { #expect(known[UInt64(key)] == expected[UInt64(key)]) }
  }
}
