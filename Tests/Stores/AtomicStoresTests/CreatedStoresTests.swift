import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import AtomicStores

/// Stores in one JSON file, and XML stores that are created here.
struct CreatedStoresTests {
  enum Kind: CaseIterable { case xml, json }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let model = ManagedObjectModel {
    Entity("Thing") {
      Attribute("text", .string)
      Attribute("small", .integer16)
      Attribute("large", .integer64)
      Attribute("flag", .boolean)
      Attribute("ratio", .float)
      Attribute("number", .double)
      Attribute("price", .decimal)
      Attribute("date", .date)
      Attribute("bytes", .binaryData)
      Attribute("uuid", .uuid)
      Attribute("uri", .uri)
      ToOne("owner", "Thing", inverse: "things")
      ToMany("things", "Thing", inverse: "owner", isOrdered: true)
      ToMany("friends", "Thing", inverse: "friends")
    }
    Entity("Special", extends: "Thing") { Attribute("more", .string) }
  }

  private func create(_ kind: Kind) throws -> any PersistentStore {
    switch kind {
    case .xml: try XMLStore.create(path: folder.path("store"), model: Self.model)
    case .json: try JSONStore.create(path: folder.path("store"), model: Self.model)
    }
  }

  private func open(_ kind: Kind) throws -> any PersistentStore {
    let path = folder.path("store")
    #expect(XMLStore.recognizes(path) == (kind == .xml))
    #expect(JSONStore.recognizes(path) == (kind == .json))
    return switch kind {
    case .xml: try XMLStore(path: path, expectedModel: Self.model)
    case .json: try JSONStore(path: path, expectedModel: Self.model)
    }
  }

  private static let values: [(String, Value)] = [
    ("text", .string("é 漢 🦄 <&>\"\n")), ("small", .integer(-7)),
    ("large", .integer(9_007_199_254_740_993)), ("flag", .bool(true)),
    ("ratio", .double(Double(Float(19.6)))), ("number", .double(0.1)),
    ("price", .decimal(Decimal(sign: .plus, exponent: -2, significand: 1_234_567_890_123))),
    ("date", .date(Date(timeIntervalSinceReferenceDate: -0.123_456_789))),
    ("bytes", .data(Data((0...255).map { UInt8($0) }))),
    ("uuid", .uuid(UUID())),
    ("uri", .url(URL(filePath: "/a b&c"))),
  ]

  @Test(arguments: Kind.allCases)
  func `values of every type, links and their order are as they were saved`(kind: Kind) throws {
    let store = try create(kind)
    let thing = try #require(store.model.entity(named: "Thing"))
    var stored: [String: Value] = [:]
    for (name, value) in Self.values {
      stored[name] = try #require(thing.attribute(named: name)).encode(value)
    }
    func new(_ entityName: String, _ number: UInt64) -> ObjectID {
      ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(number))
    }
    let (a, b, c) = (new("Thing", 1), new("Special", 2), new("Special", 3))
    let result = try store.save(
      SaveRequest(
        inserted: [
          RowChange(id: a, values: ChangedValues(stored)),
          RowChange(id: b, values: ["more": "x"], toOne: ["owner": a]),
          RowChange(id: c, values: ["more": .string("")], toOne: ["owner": a]),
        ],
        linked: [
          ObjectLink("things", from: a, to: c), ObjectLink("things", from: a, to: b),
          ObjectLink("friends", from: b, to: c),
        ]))
    let ids = try [a, b, c].map { try #require(result.permanentIDs[$0]) }
    let again = try open(kind)
    let row = try #require(try again.rows(of: [ids[0]])[0])
    for (name, value) in Self.values {
      let index = try #require(thing.attributeIndex(name))
      #expect(thing.attributes[index].decode(row.values[index]) == value, "\(name)")
    }
    #expect(try again.destinations(of: "things", from: [ids[0]]) == [ids[0]: [ids[2], ids[1]]])
    #expect(try again.destinations(of: "owner", from: [ids[1]]) == [ids[1]: [ids[0]]])
    #expect(try again.destinations(of: "friends", from: [ids[2]]) == [ids[2]: [ids[1]]])
    #expect(try again.value(of: "more", for: ids[2]) == .string(""))
    #expect(try again.rows(of: ids) == store.rows(of: ids))
    #expect(try StoreContract(again).violations() == [])
  }

  @Test(arguments: Kind.allCases)
  func `a store is not created over a file, and its keys are not given twice`(kind: Kind) throws {
    let store = try create(kind)
    let error = #expect(throws: StoreError.self) { try create(kind) }
    #expect(error?.doing == "creating")
    let new = ObjectID(storeIdentifier: "", entityName: "Thing", key: .temporary(1))
    let first = try store.save(SaveRequest(inserted: [RowChange(id: new)]))
    _ = try store.save(
      SaveRequest(deleted: first.permanentIDs.values.map { RowDeletion(id: $0) }))
    let second = try open(kind).save(SaveRequest(inserted: [RowChange(id: new)]))
    #expect(first.permanentIDs != second.permanentIDs)
  }

  @Test func `a store with another model is refused with what differs`() throws {
    _ = try create(.json)
    let other = ManagedObjectModel { Entity("Thing") { Attribute("text", .string) } }
    let error = #expect(throws: StoreError.self) {
      try JSONStore(path: folder.path("store"), expectedModel: other)
    }
    let words = "\(try #require(error))"
    #expect(words.contains("differs from the given one: ") && words.contains("Thing"), "\(words)")
  }

  @Test func `damaged files are errors that name the file, and nothing else`() throws {
    let store = try create(.json)
    let new = ObjectID(storeIdentifier: "", entityName: "Thing", key: .temporary(1))
    _ = try store.save(
      SaveRequest(inserted: [RowChange(id: new, values: ["text": "a", "small": 1])]))
    let whole = try Data(contentsOf: folder.url("store"))
    var random = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      try whole.damaged(using: &random).write(to: folder.url("damaged"))
      do throws(StoreError) {
        _ = try JSONStore(path: folder.path("damaged")).storedRows()
      } catch {
        #expect(error.subject.hasSuffix("damaged"), "\(error)")
      }
    }
  }

  @Test func `a keyed archive is said to be maybe a binary store, and how it is converted`() throws
  {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode("x" as NSString, forKey: "root")
    try archiver.encodedData.write(to: folder.url("archive"))
    let refusal = try #require(BinaryStoreFile.refusal(folder.path("archive")))
    #expect(refusal.reason == .unsupported)
    #expect(refusal.detail.contains("keyed archive") && refusal.remedy.contains("on a Mac"))
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": 1], format: .binary, options: 0)
    try list.write(to: folder.url("list"))
    #expect(BinaryStoreFile.refusal(folder.path("list"))?.detail.contains("property list") == true)
    try Data("text".utf8).write(to: folder.url("text"))
    #expect(BinaryStoreFile.refusal(folder.path("text")) == nil)
    #expect(BinaryStoreFile.refusal(folder.path("missing")) == nil)
  }
}
