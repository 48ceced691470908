import Foundation
import ObjectModel
import TestSupport

/// Makes a random model, objects, and predicates from every production of the grammar.
struct OracleMaker {
  typealias Val = Oracle.Val
  typealias Thing = Oracle.Thing
  typealias Expression = Oracle.Expression
  typealias Condition = Oracle.Condition
  typealias Written = Oracle.Written

  /// The kinds of generated expressions.
  enum Kind: CaseIterable { case whole, number, text, date }

  /// Where a key path begins: the object itself, or a variable of SUBQUERY.
  struct Root {
    var entity: String
    var variable: String?
  }

  struct Link {
    let name: String
    let destination: String
    let isToMany: Bool
  }

  var random: SeededGenerator
  private(set) var attributes: [String: [(name: String, type: AttributeType)]] = [:]
  private(set) var links: [String: [Link]] = [:]
  private(set) var things: [Thing] = []
  var variableCount = 0

  static let entities = ["Person", "Pet", "Club"]
  static let texts = [
    "", "a", "A", "ab", "Ab", "b", "é", "É", "Zoë", "ZOE", "zoe", "12", "5", "👩‍👩‍👧", "日本", "a*b",
    "x y", "it's", "a\\b", "NULL", "👍🏽",
  ]
  static let dates = ["2001-01-01", "2001-01-02", "1990-05-01", "2024-02-29", "1969-12-31"]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    makeModel()
    makeThings()
  }

  mutating func pick<T>(_ items: [T]) -> T { random.pick(items) }
  mutating func chance(_ n: Int) -> Bool { random.chance(oneIn: n) }
  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Model and objects

  private mutating func makeModel() {
    let types: [AttributeType] = [
      .string, .integer64, .integer16, .double, .decimal, .boolean, .date, .uuid,
    ]
    for entity in Self.entities {
      var own: [(String, AttributeType)] = [
        ("name", .string), ("age", .integer64), ("born", .date), ("size", .double),
      ]
      for (index, name) in ["odd name", "any", "größe", "in", "x1"].enumerated() where !chance(3) {
        own.append((index < 3 ? name : name + "_", pick(types)))
      }
      attributes[entity] = own.map { (name: $0.0, type: $0.1) }
    }
    func connect(_ a: String, _ name: String, _ b: String, _ back: String, _ many: Bool) {
      links[a, default: []].append(Link(name: name, destination: b, isToMany: many))
      links[b, default: []].append(Link(name: back, destination: a, isToMany: true))
    }
    connect("Person", "boss", "Person", "reports", false)
    connect("Pet", "owner", pick(["Person", "Club"]), "pets", false)
    connect("Club", "leader", "Person", "led", false)
    connect("Person", "clubs", "Club", "members", true)
  }

  var model: ManagedObjectModel {
    let inverses = [
      "boss": "reports", "reports": "boss", "owner": "pets", "pets": "owner", "leader": "led",
      "led": "leader", "clubs": "members", "members": "clubs",
    ]
    return ManagedObjectModel(
      entities: Self.entities.map { entity in
        EntityDescription(
          name: entity,
          attributes: (attributes[entity] ?? []).map { AttributeDescription($0.name, $0.type) },
          relationships: (links[entity] ?? []).map {
            RelationshipDescription(
              $0.name, to: $0.destination, inverse: inverses[$0.name], isToMany: $0.isToMany)
          })
      })
  }

  private mutating func makeThings() {
    for (index, entity) in (Self.entities + Self.entities + Self.entities + Self.entities)
      .enumerated()
    {
      let thing = Thing(entity, index + 1)
      for attribute in attributes[entity] ?? [] {
        thing.values[attribute.name] = chance(5) ? .null : value(attribute.type)
      }
      things.append(thing)
    }
    for thing in things {
      for link in links[thing.entity] ?? [] where !link.isToMany && !chance(4) {
        let other = pick(things.filter { $0.entity == link.destination })
        thing.toOne[link.name] = other
        let back = ["boss": "reports", "owner": "pets", "leader": "led"][link.name] ?? ""
        other.toMany[back, default: []].append(thing)
      }
      for link in links[thing.entity] ?? [] where link.name == "clubs" {
        for club in things where club.entity == "Club" && chance(2) {
          thing.toMany["clubs", default: []].append(club)
          club.toMany["members", default: []].append(thing)
        }
      }
    }
  }

  private mutating func value(_ type: AttributeType) -> Val {
    switch type {
    case .string: .text(pick(Self.texts))
    case .integer16, .integer64: .int(Int64(int(-5...12)))
    case .boolean: .int(Int64(int(0...1)))
    case .double, .decimal: .real(Double(int(-8...48)) / 4)
    case .date: .date(Self.seconds(pick(Self.dates)))
    default: .bytes([UInt8](repeating: UInt8(int(0...2)), count: 16))
    }
  }

  static func seconds(_ day: String) -> Double {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
    return calendar.date(from: components)?.timeIntervalSinceReferenceDate ?? 0
  }
}
