import Foundation
import ObjectModel

@testable import ModelFiles

/// A model as comparable lines of text, one for each entity, property and index.
///
/// One initializer takes a decoded model, the other the JSON output of an independent reader.
/// Booleans are written as 1 and 0, because JSONSerialization does not distinguish them from
/// numbers.
struct ExpectedModel {
  private(set) var lines: Set<String> = []

  private mutating func add(_ path: String, _ fields: [String: Any?]) {
    let parts = fields.map { "\($0.key)=\(Self.text($0.value))" }.sorted()
    lines.insert(path + ": " + parts.joined(separator: " | "))
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil, is NSNull: "null"
    case let text as String: "“\(text)”"
    case let truth as Bool: truth ? "1" : "0"
    case let number as Int: "\(number)"
    case let number as Int64: "\(number)"
    case let number as Double: number == number.rounded() ? "\(Int(number))" : "\(number)"
    case let list as [Any?]: "[" + list.map { text($0) }.joined(separator: ", ") + "]"
    case let values as [String: Any?]:
      "{" + values.map { "\($0.key): \(text($0.value))" }.sorted().joined(separator: ", ") + "}"
    case let other?: "\(other)"
    }
  }

  // MARK: - Decoded models

  init(_ model: ManagedObjectModel) {
    add(
      "model",
      [
        "configurations": model.details.configurations,
        "fetchRequests": Array(model.details.fetchRequestTemplates.keys),
        "versionIdentifiers": model.details.versionIdentifiers,
      ])
    for entity in model.entities { add(entity, of: model) }
  }

  private mutating func add(_ entity: EntityDescription, of model: ManagedObjectModel) {
    let parent = entity.superentityName.flatMap { model.entity(named: $0) }
    let details = entity.details
    add(
      entity.name,
      [
        "abstract": entity.isAbstract, "class": details.className,
        "compoundIndexes": details.compoundIndexes, "hashModifier": details.versionHashModifier,
        "renamingID": details.renamingIdentifier ?? entity.name, "super": entity.superentityName,
        "unique": entity.uniquenessConstraints.filter {
          parent?.uniquenessConstraints.contains($0) != true
        }, "userInfo": details.userInfo,
      ])
    for index in details.fetchIndexes {
      let elements = index.elements.map { element in
        [
          "asc": element.isAscending, "type": element.kind == .binary ? "Binary" : "RTree",
          "prop": element.isExpression ? "(expression)" : element.property,
        ]
      }
      add(
        "\(entity.name) index \(index.name)",
        ["elements": elements, "where": index.partialPredicate])
    }
    let inherited = parent.map { Self.names(of: $0) } ?? []
    for (attributes, isTransient) in [
      (entity.attributes, false), (details.transientAttributes, true),
    ] {
      for attribute in attributes {
        add(attribute, of: entity, isTransient, own: !inherited.contains(attribute.name))
      }
    }
    for (relationships, isTransient) in [
      (entity.relationships, false), (details.transientRelationships, true),
    ] {
      for relationship in relationships {
        add(relationship, of: entity, isTransient, own: !inherited.contains(relationship.name))
      }
    }
    for property in details.fetchedProperties {
      add(
        "\(entity.name).\(property.name)",
        Self.fields(of: property.details, name: property.name).merging([
          "kind": "fetched", "dest": property.fetchRequest.entityName,
          "predicate": property.fetchRequest.predicate,
          "own": !inherited.contains(property.name), "transient": true, "optional": true,
        ]) { $1 })
    }
  }

  private static func names(of entity: EntityDescription) -> Set<String> {
    let details = entity.details
    return Set(
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
        + details.transientAttributes.map(\.name) + details.transientRelationships.map(\.name)
        + details.fetchedProperties.map(\.name))
  }

  private static func fields(of details: PropertyDetails, name: String) -> [String: Any?] {
    [
      "hashModifier": details.versionHashModifier,
      "renamingID": details.renamingIdentifier ?? name, "userInfo": details.userInfo,
    ]
  }

  private mutating func add(
    _ attribute: AttributeDescription, of entity: EntityDescription, _ isTransient: Bool, own: Bool
  ) {
    let details = attribute.details
    add(
      "\(entity.name).\(attribute.name)",
      Self.fields(of: details.property, name: attribute.name).merging([
        "kind": "attribute", "own": own, "transient": isTransient,
        "optional": attribute.isOptional,
        "typeNum": details.unknownTypeNumber ?? attribute.type.coreDataNumber,
        "flags": (details.allowsExternalBinaryDataStorage ? 4 : 0)
          + (details.preservesValueInHistoryOnDeletion ? 16 : 0),
        "valueClass": details.valueClassName, "transformer": details.valueTransformerName,
        "default": details.defaultClassName.map { "<\($0)>" } ?? Self.plain(attribute.defaultValue),
        "derivation": details.derivation?.expression, "indexed": details.property.isIndexed,
        "validation": details.property.validations.map(\.predicate),
      ]) { $1 })
  }

  private static func plain(_ value: Value) -> Any? {
    switch value {
    case .null: nil
    case .integer(let number): number
    case .double(let number): number
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .bool(let truth): truth
    case .date(let date): date.formatted(.iso8601)
    case .data, .uuid, .url: "\(value)"
    }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, of entity: EntityDescription, _ isTransient: Bool,
    own: Bool
  ) {
    let rules: [DeleteRule: String] = [
      .noAction: "No Action", .nullify: "Nullify", .cascade: "Cascade", .deny: "Deny",
    ]
    add(
      "\(entity.name).\(relationship.name)",
      Self.fields(of: relationship.details.property, name: relationship.name).merging([
        "kind": "relationship", "own": own, "transient": isTransient,
        "optional": relationship.isOptional, "ordered": relationship.isOrdered,
        "toMany": relationship.isToMany, "dest": relationship.destinationEntityName,
        "inverse": relationship.inverseName, "deleteRule": rules[relationship.deleteRule],
        "min": relationship.details.minCount, "max": relationship.details.maxCount,
      ]) { $1 })
  }

  // MARK: - JSON of the independent reader

  init(json data: Data) throws {
    let json = try JSONSerialization.jsonObject(with: data)
    guard let model = json as? [String: Any], let entities = model["entities"] as? [String: Any]
    else { throw CocoaError(.propertyListReadCorrupt) }
    let requests = (model["fetchRequests"] as? [String: Any]) ?? [:]
    add(
      "model",
      [
        "configurations": model["configurations"], "fetchRequests": Array(requests.keys),
        "versionIdentifiers": model["versionIdentifiers"],
      ])
    for (name, value) in entities {
      guard var entity = value as? [String: Any] else { continue }
      for index in (entity["indexes"] as? [[String: Any]]) ?? [] {
        try add(index, of: name)
      }
      for (property, fields) in (entity["props"] as? [String: [String: Any]]) ?? [:] {
        add("\(name).\(property)", try Self.plain(fields))
      }
      for key in ["indexes", "props", "name"] { entity[key] = nil }
      entity["userInfo"] = entity["userInfo"] ?? [String: Any]()
      add(name, entity)
    }
  }

  private mutating func add(_ index: [String: Any], of entity: String) throws {
    let elements = ((index["elements"] as? [[String: Any]]) ?? []).map { element in
      var element = element
      if (element["prop"] as? String)?.wholeMatch(of: /expression\d+/) != nil {
        element["prop"] = "(expression)"
      }
      return element
    }
    add(
      "\(entity) index \(index["name"] ?? "")",
      ["elements": elements, "where": try (index["where"] as? String).map(Self.predicate)])
  }

  /// A property with default values for missing keys, and its predicates in the normalized format.
  private static func plain(_ fields: [String: Any]) throws -> [String: Any?] {
    var fields: [String: Any?] = fields
    fields["name"] = nil as Any??
    fields["type"] = nil as Any??
    fields["userInfo"] = fields["userInfo"] ?? [String: Any]()
    switch fields["kind"] as? String {
    case "attribute":
      fields["indexed"] = fields["indexed"] ?? false
      fields["derivation"] = fields["derivation"] ?? .some(nil)
      let rules = (fields["validation"] as? [String]) ?? []
      fields["validation"] = try rules.map(predicate)
    case "relationship":
      // Some old models mark a to-one relationship as ordered, which has no meaning.
      if fields["toMany"] as? Bool == false { fields["ordered"] = false }
      fields["max"] = max(0, (fields["max"] as? Int) ?? 0)
    default:
      fields["predicate"] = try (fields["predicate"] as? String).map(predicate)
    }
    return fields
  }

  private static func predicate(_ text: String) throws -> String {
    try FetchPredicate(format: text.replacingOccurrences(of: "None", with: "NULL")).description
  }
}
