@testable import ModelFiles

extension ArchiveMaker {
  /// Adds an attribute; `fields` are added to the keys that every attribute has.
  mutating func attribute(
    _ name: String, _ type: Int, _ fields: [String: PropertyListValue] = [:],
    className: String = "NSAttributeDescription"
  ) -> PropertyListValue {
    let own: [String: PropertyListValue] = [
      "NSPropertyName": add(.string(name)), "NSAttributeType": .integer(Int64(type)),
      "NSRenamingIdentifier": add(.string(name)), "NSDefaultValue": Self.null,
    ]
    return object(className, own.merging(fields) { $1 })
  }

  /// Adds a relationship.
  mutating func relationship(
    _ name: String, to destination: String, inverse: String?, max: Int = 1,
    _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    let own: [String: PropertyListValue] = [
      "NSPropertyName": add(.string(name)), "_NSDestinationEntityName": add(.string(destination)),
      "_NSInverseRelationshipName": inverse.map { add(.string($0)) } ?? Self.null,
      "NSMaxCount": .integer(Int64(max)), "NSMinCount": 0, "NSDeleteRule": 1,
    ]
    return object("NSRelationshipDescription", own.merging(fields) { $1 })
  }

  /// Adds an entity, under a reserved UID if given.
  @discardableResult
  mutating func entity(
    _ name: String, at uid: PropertyListValue? = nil,
    extends parent: PropertyListValue = ArchiveMaker.null,
    properties: [(String, PropertyListValue)], _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    let own: [String: PropertyListValue] = [
      "NSEntityName": add(.string(name)), "NSSuperentity": parent,
      "NSProperties": dictionary(properties),
    ]
    return set(uid ?? reserve(), "NSEntityDescription", own.merging(fields) { $1 })
  }

  /// Adds a model.
  mutating func model(
    _ entities: [(String, PropertyListValue)], _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    let own: [String: PropertyListValue] = ["NSEntities": dictionary(entities)]
    return object("NSManagedObjectModel", own.merging(fields) { $1 })
  }

  /// Adds a key path of the object itself.
  mutating func keyPath(_ path: String) -> PropertyListValue {
    let specifier = object("NSKeyPathSpecifierExpression", ["NSKeyPath": add(.string(path))])
    return object(
      "NSKeyPathExpression",
      [
        "NSOperand": object("NSSelfExpression"), "NSSelectorName": add("valueForKeyPath:"),
        "NSArguments": array([specifier]),
      ])
  }

  /// Adds a constant expression.
  mutating func constant(_ value: PropertyListValue) -> PropertyListValue {
    object("NSConstantValueExpression", ["NSConstantValue": add(value)])
  }

  /// Adds a comparison predicate.
  mutating func comparison(
    _ left: PropertyListValue, _ type: Int, _ right: PropertyListValue, options: Int = 0,
    modifier: Int = 0
  ) -> PropertyListValue {
    let sign = object(
      "NSPredicateOperator",
      [
        "NSOperatorType": .integer(Int64(type)), "NSOptions": .integer(Int64(options)),
        "NSModifier": .integer(Int64(modifier)),
      ])
    return object(
      "NSComparisonPredicate",
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": sign])
  }

  /// Adds a compound predicate: 0 NOT, 1 AND, 2 OR.
  mutating func compound(_ type: Int, _ parts: [PropertyListValue]) -> PropertyListValue {
    object(
      "NSCompoundPredicate",
      ["NSCompoundPredicateType": .integer(Int64(type)), "NSSubpredicates": array(parts)])
  }
}
