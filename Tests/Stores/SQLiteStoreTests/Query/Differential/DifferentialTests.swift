import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

/// Random predicates on random models, evaluated by every store and by an evaluator that shares no
/// code with them.
@Suite struct `Predicates of every store and a plain evaluator` {
  /// How many models are tried; `CARDFILE_PREDICATES` changes it.
  static let models: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CARDFILE_PREDICATES"].flatMap { UInt64($0) } ?? 6)

  @Test(arguments: models) func `find the same objects`(seed: UInt64) throws {
    var maker = OracleMaker(seed: seed)
    let stores = try TestedStore.allCases.map { try DifferentialStore($0, maker) }
    var selectiveCount = 0
    for _ in 0..<400 {
      let entity = maker.pick(OracleMaker.entities)
      let condition = maker.condition(.init(entity: entity, variable: nil), 2)
      let things = maker.things.filter { $0.entity == entity }
      let expected = things.filter { condition.holds($0, [:]) }.map(\.number)
      if !expected.isEmpty, expected.count < things.count { selectiveCount += 1 }
      for store in stores {
        let text = condition.text(store.uri)
        do {
          let found = try store.numbers(entity, where: text)
          #expect(found == expected, "\(store.kind), \(entity): \(text)")
        } catch {
          Issue.record("\(store.kind), \(entity): \(text)\n\(error)")
        }
      }
    }
    #expect(selectiveCount > 50, "Most predicates hold for all objects or for none.")
  }
}

/// A store with the objects of a maker.
struct DifferentialStore {
  let kind: TestedStore
  private let store: any PersistentStore
  private let database: TemporaryDatabase
  private let ids: [Int: ObjectID]
  private let numbers: [ObjectID: Int]

  init(_ kind: TestedStore, _ maker: OracleMaker) throws {
    self.kind = kind
    let database = try TemporaryDatabase()
    self.database = database
    store = try kind.makeStore(maker.model, at: database.path)
    func temporary(_ thing: Oracle.Thing) -> ObjectID {
      ObjectID(
        storeIdentifier: "", entityName: thing.entity,
        key: .temporary(UInt64(1_000_000 + thing.number)))
    }
    var request = SaveRequest()
    for thing in maker.things {
      let entity = try #require(store.model.entity(named: thing.entity))
      var change = RowChange(id: temporary(thing))
      for (name, value) in thing.values {
        let attribute = try #require(entity.attribute(named: name))
        change.values[name] = try attribute.encode(Self.value(value, attribute.type))
      }
      for (name, other) in thing.toOne { change.toOne[name] = temporary(other) }
      request.inserted.append(change)
      for other in thing.toMany["clubs"] ?? [] {
        request.linked.append(ObjectLink("clubs", from: temporary(thing), to: temporary(other)))
      }
    }
    let result = try store.save(request)
    ids = Dictionary(
      uniqueKeysWithValues: maker.things.compactMap { thing in
        result.permanentIDs[temporary(thing)].map { (thing.number, $0) }
      })
    numbers = Dictionary(uniqueKeysWithValues: ids.map { ($0.value, $0.key) })
  }

  func uri(_ thing: Oracle.Thing) -> String { ids[thing.number]?.uriRepresentation ?? "" }

  /// The numbers of the objects that a typed predicate finds.
  func numbers(_ entity: String, where text: String) throws -> [Int] {
    let description = try #require(store.model.entity(named: entity))
    let typed = try TypedPredicate(text, as: .predicate, for: description, in: store.model)
    let plan = FetchPlan(entityName: entity, predicate: typed.predicate)
    return try store.fetch(plan, control: nil).ids.compactMap { numbers[$0] }.sorted()
  }

  private static func value(_ value: Oracle.Val, _ type: AttributeType) -> Value {
    switch (value, type) {
    case (.int(let whole), .boolean): .bool(whole == 1)
    case (.int(let whole), _): .integer(whole)
    case (.real(let real), .decimal): .decimal(Decimal(string: "\(real)") ?? 0)
    case (.real(let real), _): .double(real)
    case (.text(let text), _): .string(text)
    case (.date(let seconds), _): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.bytes(let bytes), _):
      .uuid(
        bytes.withUnsafeBytes { raw in
          UUID(uuid: raw.loadUnaligned(as: uuid_t.self))
        })
    default: .null
    }
  }
}
