import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// Makes random models that use every feature of Core Data models.
struct ModelMaker {
  /// The delete rules that Core Data has.
  private static let deleteRules = DeleteRule.allCases.filter { $0 != .setDefault }

  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Makes a valid model, as readers return it.
  ///
  /// - Parameter namesComposites: Whether composite types have names, which archives do not store.
  mutating func model(namesComposites: Bool) throws -> ManagedObjectModel {
    let names = (0..<pick(1...6)).map { "Entity\($0)" + pick(["", "é", "Ж &<>\"'", " x"]) }
    var entities: [EntityDescription] = []
    for (index, name) in names.enumerated() {
      let parent = index > 0 && chance(0.4) ? names[pick(0...index - 1)] : nil
      entities.append(entity(name, parent: parent, all: names, namesComposites: namesComposites))
    }
    pairInverses(&entities)
    var details = ModelDetails()
    for number in 0..<pick(0...2) {
      details.configurations["Configuration \(number)"] = names.filter { _ in chance(0.5) }.sorted()
    }
    for number in 0..<pick(0...3) {
      details.fetchRequestTemplates["Template\(number)"] = request(names)
    }
    details.versionIdentifiers = pick([[], [""], ["1.0"], ["a", "b, c"]])
    let decoded = try ModelAssembly.model(of: entities, details: details)
    #expect(decoded.notes.isEmpty, "\(decoded.notes)")
    return decoded.model
  }

  private mutating func entity(
    _ name: String, parent: String?, all names: [String], namesComposites: Bool
  ) -> EntityDescription {
    let prefix = String(name.prefix { $0 != " " }).lowercased()
    var details = EntityDetails()
    details.className = maybe("Class\(prefix)")
    details.renamingIdentifier = maybe("Old \(prefix)")
    details.versionHashModifier = maybe("modifier")
    details.userInfo = userInfo()
    var attributes: [AttributeDescription] = []
    for number in 0..<pick(0...8) {
      let attribute = attribute("\(prefix)A\(number)")
      if chance(0.15) {
        details.transientAttributes.append(attribute)
      } else {
        attributes.append(attribute)
      }
    }
    if chance(0.4) {
      attributes += composite("\(prefix)Z", depth: 0, named: namesComposites, to: &details)
    }
    var relationships: [RelationshipDescription] = []
    for number in 0..<pick(0...4) {
      let relationship = relationship("\(prefix)R\(number)", to: pick(names))
      if chance(0.15) {
        details.transientRelationships.append(relationship)
      } else {
        relationships.append(relationship)
      }
    }
    for number in 0..<pick(0...2) {
      details.fetchedProperties.append(
        FetchedPropertyDescription(
          "\(prefix)F\(number)", fetchRequest: request(names), details: property()))
    }
    let own = attributes.map(\.name)
    for number in 0..<pick(0...2) where !own.isEmpty {
      details.fetchIndexes.append(index("by\(number)", own))
    }
    details.compoundIndexes = own.isEmpty || chance(0.7) ? [] : [own, [own[0]]]
    return EntityDescription(
      name: name, superentityName: parent, isAbstract: chance(0.2), attributes: attributes,
      relationships: relationships,
      uniquenessConstraints: own.isEmpty || chance(0.7) ? [] : [[pick(own)]], details: details)
  }

  /// Adds a pair of inverse relationships between the first two entities.
  private mutating func pairInverses(_ entities: inout [EntityDescription]) {
    guard entities.count > 1, chance(0.8) else { return }
    let (first, second) = (entities[0], entities[1])
    entities[0] = first.changed(
      relationships: first.relationships
        + [
          RelationshipDescription(
            "zAhead", to: second.name, inverse: "zBack", isToMany: chance(0.5),
            details: RelationshipDetails(maxCount: 1))
        ].map(Self.settled))
    guard second.superentityName == nil else {
      entities[0] = first
      return
    }
    entities[1] = second.changed(
      relationships: second.relationships + [
        RelationshipDescription(
          "zBack", to: first.name, inverse: "zAhead", isToMany: true, isOrdered: true,
          deleteRule: .cascade, details: RelationshipDetails(minCount: 1, maxCount: 7))
      ])
  }

  private static func settled(_ relationship: RelationshipDescription) -> RelationshipDescription {
    var relationship = relationship
    relationship.details.maxCount = relationship.isToMany ? 0 : 1
    return relationship
  }

  private mutating func composite(
    _ name: String, depth: Int, named: Bool, to details: inout EntityDetails
  ) -> [AttributeDescription] {
    var own = property()
    own.validations = []
    details.composites.append(
      CompositeAttributeDescription(
        name, typeName: named ? maybe("Type\(pick(0...1))") : nil, details: own))
    var leaves = (0..<pick(1...3)).map { number in
      var leaf = attribute("\(name).a\(number)")
      leaf.details.compositeName = name
      return leaf
    }
    if depth < 2, chance(0.3) {
      leaves += composite("\(name).b", depth: depth + 1, named: named, to: &details)
    }
    return leaves
  }

  private mutating func attribute(_ name: String) -> AttributeDescription {
    let type = pick(AttributeType.allCases)
    var details = AttributeDetails(property: property())
    details.valueClassName = chance(0.9) ? type.defaultValueClassName : maybe("OwnClass")
    details.valueTransformerName = maybe("Transformer")
    details.allowsExternalBinaryDataStorage =
      (type == .binaryData || type == .transformable) && chance(0.5)
    details.preservesValueInHistoryOnDeletion = chance(0.2)
    details.allowsCloudEncryption = chance(0.2)
    if chance(0.15) {
      details.derivation = .init(
        pick(["count(pages)", "maker.name", "now()", "canonical(name)"]),
        filter: maybe("name != NULL"))
    }
    details.property.validations = rules(type)
    var value = chance(0.5) ? defaultValue(type) : .null
    if type == .transformable, chance(0.3) {
      value = .null
      details.defaultClassName = "App.Cover"
    }
    if type == .undefined, chance(0.3) {
      (value, details.unknownTypeNumber) = (.null, pick([2000, 1234]))
    }
    return AttributeDescription(
      name, type,
      encoding: type.coreDataEncoding(isExternal: details.allowsExternalBinaryDataStorage),
      isOptional: chance(0.5), defaultValue: value, isReadOnly: details.derivation != nil,
      details: details)
  }

  private mutating func rules(_ type: AttributeType) -> [ValidationRule] {
    guard chance(0.4) else { return [] }
    switch type {
    case .integer16, .integer32, .integer64:
      return [
        ValidationRule("SELF >= \(pick(-9...0))", warning: "1620"),
        ValidationRule("SELF <= \(pick(1...99))", warning: "1610"),
      ]
    case .double, .float: return [ValidationRule("SELF >= -1.5", warning: "1620")]
    case .string:
      return pick([
        [ValidationRule("length >= 3", warning: "1670")],
        [
          ValidationRule("length <= 50", warning: "1660"),
          ValidationRule(#"SELF MATCHES "[a-z\"&<>]+\\.\n""#, warning: "1680"),
        ],
        [ValidationRule("SELF CONTAINS[cd] \"é\"", warning: "say é")],
        [ValidationRule("length >= 3 AND length <= 50", warning: nil)],
      ])
    case .date:
      return [ValidationRule("SELF >= CAST(12.5, \"NSDate\")", warning: "1640")]
    default: return []
    }
  }

  private mutating func defaultValue(_ type: AttributeType) -> Value {
    switch type {
    case .undefined: pick([.integer(3), "text"])
    case .integer16: pick([0, -7, 32_767])
    case .integer32: .integer(-2_147_483_648)
    case .integer64: pick([.integer(.min), .integer(.max)])
    case .decimal:
      .decimal(
        pick(["0", "-12.5", "3.14159265358979323846264338327950288419", "1e100"])
          .withCString { Decimal(string: String(cString: $0)) ?? 0 })
    case .double: .double(pick([0, 0.1, -1e300, Double.leastNonzeroMagnitude]))
    case .float: .double(0.5)
    case .string: .string(pick(["", "a & b < c > \"d\"", "é\u{301}\n\t", " ", "😀"]))
    case .boolean: .bool(chance(0.5))
    case .date: .date(Date(timeIntervalSinceReferenceDate: pick([0, 0.1, -63_114_076_800])))
    case .binaryData, .transformable: .data(Data([0, 1, 255]))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    case .uri: URL(string: "https://example.com/a?b=c&d").map { .url($0) } ?? .null
    }
  }

  private mutating func relationship(_ name: String, to entity: String) -> RelationshipDescription {
    let isToMany = chance(0.5)
    return RelationshipDescription(
      name, to: entity, isToMany: isToMany, isOrdered: isToMany && chance(0.4),
      isOptional: chance(0.6), deleteRule: pick(Self.deleteRules),
      details: RelationshipDetails(
        property: property(), minCount: pick(0...2), maxCount: isToMany ? pick([0, 5]) : 1))
  }

  private mutating func property() -> PropertyDetails {
    PropertyDetails(
      renamingIdentifier: maybe("former name"), versionHashModifier: maybe("2"),
      userInfo: userInfo(), isIndexedBySpotlight: chance(0.1), isIndexed: chance(0.1))
  }

  private mutating func request(_ names: [String]) -> FetchRequestTemplate {
    FetchRequestTemplate(
      pick(names),
      predicate: pick([
        nil, "name CONTAINS[cd] $NAME", "authorAlias == $FETCH_SOURCE.alias AND NOT (x > 2.5)",
        "ANY dvds.price BETWEEN {1, 2}", "SUBQUERY(dvds, $x, $x.price > 1).@count > 2",
        "name IN {\"a\", \"b\"} OR TRUEPREDICATE", "a + b * 2 >= -3 AND name LIKE[c] \"*x?\"",
        "TERNARY(a == 1, \"yes\", \"no\") == $Z",
        "NONE dvds.price == NULL", "ALL dvds.price != TRUE",
      ]),
      sortDescriptors: chance(0.5) ? [] : [.init("name"), .init("maker.age", isAscending: false)],
      fetchLimit: pick([0, 20]))
  }

  private mutating func index(_ name: String, _ own: [String]) -> FetchIndexDescription {
    FetchIndexDescription(
      name,
      elements: [
        .init(
          pick(own), kind: pick([.binary, .rTree]), isAscending: chance(0.5)),
        .init("canonical(name)", isExpression: true),
      ],
      partialPredicate: maybe("name != NULL"))
  }

  private mutating func userInfo() -> [String: String] {
    chance(0.8) ? [:] : ["key": "value & <more>", "é": "", "line\nend": "\t"]
  }

  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }
  private mutating func maybe(_ text: String) -> String? { chance(0.3) ? text : nil }
  private mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
  private mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: items.indices, using: &generator)]
  }
}
