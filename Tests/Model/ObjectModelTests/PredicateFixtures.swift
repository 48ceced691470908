import Foundation
import ObjectModel

/// A test object for predicates, with values, objects and collections by key.
final class Card: PredicateSubject {
  let objectID: ObjectID
  var operands: [String: PredicateOperand] = [:]

  init(_ key: Int64, _ values: [String: Value] = [:]) {
    objectID = ObjectID(storeIdentifier: "s", entityName: "Card", key: .integer(key))
    operands = values.mapValues { .value($0) }
  }

  func operand(forKey key: String) -> PredicateOperand { operands[key, default: .missing] }
}

enum Fixtures {
  static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string, isOptional: false)
      Attribute("age", .integer16)
      Attribute("born", .date)
      Attribute("height", .double)
      Attribute("balance", .decimal)
      Attribute("isMember", .boolean)
      Attribute("token", .uuid)
      Attribute("photo", .binaryData)
      Attribute("odd name", .string)
      ToMany("dvds", "DVD", inverse: "owner", deleteRule: .cascade)
      ToOne("friend", "Person", inverse: "friendOf")
      ToMany("friendOf", "Person", inverse: "friend")
    }
    Entity("DVD") {
      Attribute("title", .string)
      Attribute("year", .integer32)
      ToOne("owner", "Person", inverse: "dvds")
    }
  }

  static var person: EntityDescription { entity("Person") }

  static func entity(_ name: String) -> EntityDescription {
    model.entity(named: name) ?? EntityDescription(name: name, attributes: [])
  }

  /// The test object Ann, with two DVDs and a friend without DVDs.
  static func ann() -> Card {
    let ann = Card(
      1,
      [
        "name": "Ann Éclair", "age": 30, "height": 1.5, "isMember": true, "nothing": .null,
        "born": .date(Date(timeIntervalSince1970: 0)),
        "balance": .decimal(Decimal(string: "12.50") ?? 0),
      ])
    let bob = Card(2, ["name": "Bob", "age": .null])
    bob.operands["dvds"] = .collection([])
    ann.operands["friend"] = .object(bob)
    ann.operands["dvds"] = .collection([
      Card(3, ["title": "Alien", "year": 1979]), Card(4, ["title": "Brazil", "year": 1985]),
    ])
    return ann
  }
}
