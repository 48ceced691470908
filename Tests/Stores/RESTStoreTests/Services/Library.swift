import Foundation
import ObjectModel
import TestSupport

@testable import RESTStore

/// An object as a client reads it.
struct ReadObject {
  let entity: EntityDescription
  let key: RESTKey
  let version: String?
  let values: [String: Value]
  let references: [String: [RESTReference]]

  /// The objects in an answer.
  static func all(in answer: RESTAnswer, _ client: RESTClient) throws -> [ReadObject] {
    try client.representations(in: answer).map { json in
      let entity = try client.entity(client.entityName(of: json, in: answer.entity))
      let key = client.identifier(of: json, in: entity)
      guard let key else { throw StoreError(.other, doing: "reading", subject: entity.name) }
      return ReadObject(
        entity: entity, key: key, version: client.version(of: json, in: entity),
        values: try client.attributes(of: json, in: entity),
        references: try client.relationships(of: json, in: entity))
    }
  }
}

/// The objects of a service in memory, linked, for predicates to be evaluated on.
final class Library {
  private var subjects: [String: [RESTKey: Subject]] = [:]

  /// An object.
  final class Subject: PredicateSubject {
    let key: RESTKey
    let objectID: ObjectID
    let values: [String: Value]
    fileprivate(set) var toOne: [String: Subject?] = [:]
    fileprivate(set) var toMany: [String: [Subject]] = [:]

    init(_ object: ReadObject, index: Int) {
      key = object.key
      values = object.values
      objectID = ObjectID(
        storeIdentifier: "S", entityName: object.entity.name,
        key: .integer(Int64(object.key.text) ?? Int64(index)))
    }

    /// The number of its key.
    var number: Int64 { if case .integer(let number) = key { number } else { 0 } }

    func operand(forKey name: String) -> PredicateOperand {
      if let value = values[name] { return .value(value) }
      if let many = toMany[name] { return .collection(many) }
      guard case .some(let destination) = toOne[name] else { return .missing }
      return destination.map { .object($0) } ?? .missing
    }
  }

  /// - Parameters:
  ///   - model: The model.
  ///   - read: Reads the objects of an entity.
  init(_ model: ManagedObjectModel, _ read: (String) throws -> [ReadObject]) throws {
    var objects: [String: [ReadObject]] = [:]
    for entity in model.entities {
      let found = try read(entity.name)
      objects[entity.name] = found
      subjects[entity.name] = Dictionary(
        uniqueKeysWithValues: found.enumerated().map { ($1.key, Subject($1, index: $0)) })
    }
    for entity in model.entities {
      for object in objects[entity.name] ?? [] {
        guard let subject = subjects[entity.name]?[object.key] else { continue }
        for relationship in entity.relationships {
          if relationship.isToMany {
            if subject.toMany[relationship.name] == nil { subject.toMany[relationship.name] = [] }
            continue
          }
          let destination = object.references[relationship.name]?.first
            .flatMap { subjects[$0.entityName]?[$0.key] }
          subject.toOne[relationship.name] = .some(destination)
          if let destination, let inverse = relationship.inverseName {
            destination.toMany[inverse, default: []].append(subject)
          }
        }
      }
    }
  }

  func objects(of entity: String) -> [Subject] { Array((subjects[entity] ?? [:]).values) }
}

/// Makes predicates on Chinook, many of them near the limits of what is sent.
struct ChinookPredicates {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let texts = [
    "O'Brien 1", "zoë 2", "Zoe 3", "AC/DC 4", "100% + 5", "song (13)", "Song", "song", "STRASSE",
    "strasse", "lied", "a", "k", "ss", "Album 7", "Composer 3", "Norway", "", "Lied (*", "métal",
  ]
  private static let textPaths: [String: [[String]]] = [
    "Track": [
      ["Name"], ["Composer"], ["Album", "Title"], ["Album", "Artist", "Name"], ["Genre", "Name"],
    ],
    "Artist": [["Name"]], "Album": [["Title"], ["Artist", "Name"]],
    "Customer": [["LastName"], ["Country"], ["SupportRep", "LastName"]],
  ]
  private static let numberPaths: [String: [[String]]] = [
    "Track": [
      ["Milliseconds"], ["Bytes"], ["UnitPrice"], ["AlbumId"], ["GenreId"], ["Album", "ArtistId"],
    ],
    "Artist": [["ArtistId"]], "Album": [["AlbumId"], ["ArtistId"]],
    "Customer": [["CustomerId"], ["SupportRepId"]], "Invoice": [["Total"], ["InvoiceId"]],
  ]
  private static let numbers: [Value] = [
    .null, 1, 5, 40, 100, 300_000, 0.99, 1.99, .decimal(Decimal(99) / 100), 0, 7.5,
  ]
  private static let manyPaths: [String: [[String]]] = [
    "Album": [["Tracks", "Name"], ["Tracks", "Genre", "Name"]],
    "Artist": [["Albums", "Title"], ["Albums", "Tracks", "Name"]],
    "Customer": [["Invoices", "BillingCountry"]], "Track": [["Album", "Tracks", "Name"]],
  ]

  mutating func predicate() -> (entity: String, FetchPredicate.Node) {
    let entity = random.pick(["Track", "Artist", "Album", "Customer", "Invoice"])
    return (entity, node(entity, depth: 2))
  }

  private mutating func node(_ entity: String, depth: Int) -> FetchPredicate.Node {
    guard depth > 0, random.chance(oneIn: 2) else { return .comparison(comparison(entity)) }
    let parts = [node(entity, depth: depth - 1), node(entity, depth: depth - 1)]
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .and(parts)
    case 1: return .or(parts)
    default: return .not(parts[0])
    }
  }

  private mutating func comparison(_ entity: String) -> FetchPredicate.Comparison {
    let options: FetchPredicate.Options = random.pick([[], [], .c])
    let order: [FetchPredicate.Operator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    let textual: [FetchPredicate.Operator] = [
      .equal, .notEqual, .contains, .beginsWith, .endsWith, .like,
    ]
    let text = FetchPredicate.Expression.constant(.string(random.pick(Self.texts)))
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2:
      guard let path = Self.textPaths[entity].map({ random.pick($0) }) else { fallthrough }
      return .init(.keyPath(path), random.pick(textual), text, options: options)
    case 3...5:
      let path = random.pick(Self.numberPaths[entity] ?? [])
      return .init(
        .keyPath(path), random.pick(order), .constant(random.pick(Self.numbers)))
    case 6:
      let path = random.pick(Self.numberPaths[entity] ?? [])
      let list = (0..<3).map { _ in FetchPredicate.Expression.constant(random.pick(Self.numbers)) }
      return .init(.keyPath(path), .in, .list(list))
    case 7, 8:
      guard let path = Self.manyPaths[entity].map({ random.pick($0) }) else { fallthrough }
      return .init(
        .keyPath(path), random.pick(textual), text, options: options,
        modifier: random.pick([.any, .all]))
    default:
      let names = [
        "Track": ["Album", "Genre"], "Album": ["Artist"], "Customer": ["SupportRep"],
        "Invoice": ["Customer"],
      ]
      guard let own = names[entity] else {
        return .init(
          .keyPath(["Albums", "@count"]), random.pick(order), .constant(.integer(2)))
      }
      return .init(
        .keyPath([random.pick(own)]), random.pick([.equal, .notEqual]), .constant(.null))
    }
  }
}
