import ObjectModel

extension ModelEncoder {
  /// The archive keys that attributes, relationships and fetched properties have in common.
  mutating func values(
    of details: PropertyDetails, name: String, entity: EntityDescription
  ) throws(ModelFileError) -> [String: PropertyListValue] {
    var values: [String: PropertyListValue] = [
      "NSPropertyName": writer.text(name),
      "NSRenamingIdentifier": writer.text(details.renamingIdentifier ?? name),
      "NSEntity": entities[entity.name] ?? KeyedArchiveWriter.null,
    ]
    if let modifier = details.versionHashModifier {
      values["NSVersionHashModifier"] = writer.text(modifier)
    }
    if details.isIndexed { values["NSIsIndexed"] = true }
    if details.isIndexedBySpotlight { values["NSIndexedBySpotlight"] = true }
    values["NSUserInfo"] = userInfo(details.userInfo)
    guard !details.validations.isEmpty else { return values }
    var predicates: [PropertyListValue] = []
    for rule in details.validations {
      predicates.append(try writer.add(predicate: rule.predicate))
    }
    let warnings = details.validations.map { rule -> PropertyListValue in
      guard let text = rule.warning else { return KeyedArchiveWriter.null }
      let number = Int64(text).flatMap { String($0) == text ? $0 : nil }
      return writer.add(number.map { PropertyListValue.integer($0) } ?? .string(text))
    }
    values["NSValidationPredicates"] = writer.array(predicates)
    values["NSValidationWarnings"] = writer.array(warnings)
    return values
  }

  /// Adds a relationship under its reserved UID.
  mutating func encode(
    _ relationship: RelationshipDescription, of entity: EntityDescription, isTransient: Bool
  ) throws(ModelFileError) -> PropertyListValue {
    let details = relationship.details
    var values = try values(of: details.property, name: relationship.name, entity: entity)
    let destination = relationship.destinationEntityName
    let maximum = relationship.isToMany ? details.maxCount : 1
    values["_NSDestinationEntityName"] = writer.text(destination)
    values["NSDestinationEntity"] = entities[destination] ?? KeyedArchiveWriter.null
    values["_NSInverseRelationshipName"] = writer.text(relationship.inverseName)
    let inverse = relationship.inverseName.flatMap {
      self.uid(ofRelationship: $0, in: destination)
    }
    values["NSInverseRelationship"] = inverse ?? KeyedArchiveWriter.null
    values["NSMinCount"] = .integer(Int64(details.minCount))
    values["NSMaxCount"] = .integer(Int64(maximum))
    values["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.coreDataNumber))
    if relationship.isOptional { values["NSIsOptional"] = true }
    if relationship.isOrdered { values["NSIsOrdered"] = true }
    if isTransient { values["NSIsTransient"] = true }
    values["_P"] =
      PropertyFlags(
        details.property, isOptional: relationship.isOptional, isTransient: isTransient,
        isOrdered: relationship.isOrdered
      ).value
    let uid = self.uid(ofRelationship: relationship.name, in: entity.name) ?? writer.reserve()
    writer.set(uid, .relationship, values)
    return uid
  }

  /// Adds a fetched property.
  mutating func encode(
    _ property: FetchedPropertyDescription, of entity: EntityDescription
  ) throws(ModelFileError) -> PropertyListValue {
    var values = try values(of: property.details, name: property.name, entity: entity)
    values["_NSFetchRequestEntityName"] = writer.text(property.fetchRequest.entityName)
    values["NSFetchRequest"] = try encode(property.fetchRequest)
    values["NSIsOptional"] = true
    values["NSIsTransient"] = true
    values["NSIsReadOnly"] = true
    values["_P"] =
      PropertyFlags(
        property.details, isOptional: true, isReadOnly: true, isTransient: true
      ).value
    return writer.add(.fetchedProperty, values)
  }

  /// Adds a fetch request.
  mutating func encode(
    _ request: FetchRequestTemplate
  ) throws(ModelFileError) -> PropertyListValue {
    let sortDescriptors = request.sortDescriptors.map { key in
      let values: [String: PropertyListValue] = [
        "NSKey": writer.text(key.keyPath), "NSAscending": .bool(key.isAscending),
        "NSReverseNullOrder": false, "NSSelector": writer.text("compare:"),
      ]
      return writer.add(.sortDescriptor, values)
    }
    var values: [String: PropertyListValue] = [
      "NSSortDescriptors": sortDescriptors.isEmpty
        ? KeyedArchiveWriter.null : writer.array(sortDescriptors, .array),
      "NSPredicate": KeyedArchiveWriter.null,
      "NSFetchLimit": .integer(Int64(request.fetchLimit)), "NSFetchOffset": 0, "NSBatchSize": 0,
      "NSResultType": 0, "NSHasFetchRequestFlags": true, "NSFetchRequestFlags": 30,
    ]
    if let entity = entities[request.entityName] {
      values["NSEntity"] = entity
    } else {
      values["NSEntityName"] = writer.text(request.entityName)
    }
    if let predicate = request.predicate {
      values["NSPredicate"] = try writer.add(predicate: predicate)
    }
    return writer.add(.fetchRequest, values)
  }

  /// Adds a fetch index.
  mutating func encode(
    _ index: FetchIndexDescription, of entity: EntityDescription
  ) throws(ModelFileError) -> PropertyListValue {
    let uid = writer.reserve()
    var elements: [PropertyListValue] = []
    for (number, element) in index.elements.enumerated() {
      var values: [String: PropertyListValue] = [
        "NSFetchIndexDescription": uid, "NSAscending": .bool(element.isAscending),
        "NSFetchIndexElementType": element.kind == .rTree ? 1 : 0,
        "NSPropertyName": writer.text(
          element.isExpression ? "expression\(number + 1)" : element.property),
      ]
      if element.isExpression {
        let expression = try writer.add(expression: element.property)
        values["NSIndexedProperty"] = writer.add(
          .expressionProperty,
          ["NSPropertyName": values["NSPropertyName"] ?? "", "NSExpression": expression])
      }
      elements.append(writer.add(.fetchIndexElement, values))
    }
    var predicate = KeyedArchiveWriter.null
    if let text = index.partialPredicate {
      predicate = try writer.add(predicate: text)
    }
    let values: [String: PropertyListValue] = [
      "NSIndexName": writer.text(index.name),
      "NSIndexElements": writer.array(elements, .array), "NSPartialIndexPredicate": predicate,
      "NSEntity": entities[entity.name] ?? KeyedArchiveWriter.null,
    ]
    writer.set(uid, .fetchIndex, values)
    return uid
  }
}

/// The redundant bit mask `_P` of an archived property (core-data-stores 3.1).
struct PropertyFlags {
  let value: PropertyListValue

  init(
    _ details: PropertyDetails, isOptional: Bool = false, isReadOnly: Bool = false,
    isTransient: Bool = false, isOrdered: Bool = false, allowsCloudEncryption: Bool = false
  ) {
    let bits: [(Int64, Bool)] = [
      (0x01, true), (0x02, isOptional), (0x04, isReadOnly), (0x08, isTransient),
      (0x30, details.validations.isEmpty), (0x40, details.userInfo.isEmpty),
      (0x80, details.versionHashModifier == nil), (0x100, details.isIndexedBySpotlight),
      (0x400, isOrdered), (0x800, allowsCloudEncryption),
    ]
    value = .integer(bits.reduce(0) { $0 | ($1.1 ? $1.0 : 0) })
  }
}

/// The bits of an archived attribute's `NSFlagsKey` (core-data-stores 3.1).
enum AttributeFlags {
  static let externalStorage = 4
  static let preservedInHistory = 16
}
