import ObjectModel
import TestSupport
import Testing

/// Lists return the object IDs that were put in, whether stored as codes or whole.
struct ObjectIDListTests {
  private static let coding = ObjectIDCoding(
    storeIdentifier: "S", entityNames: ["Being", "Bird", "Cat"])

  private func id(_ entity: String, _ key: Int64) -> ObjectID {
    ObjectID(storeIdentifier: "S", entityName: entity, key: .integer(key))
  }

  private func list(_ ids: [(entityIndex: Int, key: Int64)]) throws -> ObjectIDList {
    let coding = try #require(Self.coding)
    return ObjectIDList(
      codes: try ids.map { try #require(coding.code(ofKey: $0.key, entityIndex: $0.entityIndex)) },
      coding)
  }

  @Test func `IDs of several entities are stored as codes`() throws {
    let list = try list([(0, 5), (2, 1), (1, 1 << 48 - 1), (2, 0)])
    #expect(
      Array(list) == [id("Being", 5), id("Cat", 1), id("Bird", 1 << 48 - 1), id("Cat", 0)])
    #expect(list.withKeys { $0.count } == 4)
    #expect(list.index(of: id("Cat", 1)) == 1)
    #expect(list.index(of: id("Bird", 1)) == nil)
    #expect(list.greatestKey == nil)
    for id in list { #expect(list.compactKey(of: id) != nil) }
  }

  @Test func `with several entities, negative keys and keys over 48 bits have no code`() throws {
    let coding = try #require(Self.coding)
    #expect(coding.code(ofKey: 1 << 48, entityIndex: 1) == nil)
    #expect(coding.code(ofKey: -1, entityIndex: 1) == nil)
    #expect(coding.code(ofKey: .min, entityIndex: 0) == nil)
    #expect(ObjectIDCoding(storeIdentifier: "S", entityNames: []) == nil)
  }

  @Test
  func `a list stays compact with temporary IDs of its entities, and stores whole IDs of others`()
    throws
  {
    var list = try list([(0, 5), (2, 1)])
    let new = ObjectID(storeIdentifier: "", entityName: "Cat", key: .temporary(7))
    list.insert(new, at: 1)
    #expect(list.withKeys { _ in true } == true)
    #expect(Array(list) == [id("Being", 5), new, id("Cat", 1)])
    list.append(id("Dog", 3))
    #expect(list.withKeys { _ in true } == nil)
    #expect(Array(list) == [id("Being", 5), new, id("Cat", 1), id("Dog", 3)])
  }

  @Test(arguments: [0, 1, 255, 256, 257, 512, 1_000])
  func `objects are found wherever they are, and as often`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let keys = (0..<count).map { _ in Int64.random(in: 0..<900, using: &generator) }
    let list = ObjectIDList(keys: keys, storeIdentifier: "S", entityName: "Being")
    func check(_ wanted: [ObjectID]) {
      let found = list.indexes(of: wanted)
      #expect(found.map(\.index) == list.indices.filter { wanted.contains(list[$0]) })
      #expect(found.allSatisfy { list[$0.index] == $0.id })
    }
    let ends = [0, 1, 254, 255, 256, 511, 512, count - 2, count - 1].filter(keys.indices.contains)
    for end in ends { check([list[end]]) }
    for wantedCount in 0..<8 {
      check(list.shuffled(using: &generator).prefix(wantedCount) + [id("Being", 901)])
    }
  }

  @Test func `lists of the same entities of one store share their codes`() throws {
    let (first, second) = (try list([(0, 5)]), try list([(2, 9)]))
    #expect(first.sharesCodes(with: second))
    let other = ObjectIDList(keys: [5], storeIdentifier: "S", entityName: "Being")
    #expect(!first.sharesCodes(with: other))
    #expect(!first.sharesCodes(with: ObjectIDList([id("Being", 5)])))
    #expect(other.greatestKey == 5)
  }

  @Test(arguments: [[1, 2, 3], [Int64.max, 0, -1], [Int64.min, 4], []] as [[Int64]])
  func `a list of one entity returns its keys unchanged`(keys: [Int64]) {
    let list = ObjectIDList(keys: keys, storeIdentifier: "S", entityName: "Being")
    #expect(Array(list) == keys.map { id("Being", $0) })
  }
}
