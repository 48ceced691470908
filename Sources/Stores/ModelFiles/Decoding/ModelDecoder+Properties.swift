import ObjectModel

extension ModelDecoder {
  /// Reads a property and adds it to the entity's own properties.
  mutating func add(
    _ object: ArchivedObject, to properties: inout OwnProperties
  ) throws(ModelFileError) {
    let object = underlying(object)
    guard let name = object["NSPropertyName"]?.string, !name.isEmpty else {
      return notes.add("A property without a name was left out")
    }
    try budget.spend(1 + name.utf8.count)
    let isTransient = object["NSIsTransient"]?.bool ?? false
    switch object.className {
    case "NSRelationshipDescription":
      properties.add(try relationship(object, name: name), isTransient: isTransient)
    case "NSFetchedPropertyDescription":
      guard let request = try fetchedRequest(object, name: name) else { return }
      properties.details.fetchedProperties.append(
        FetchedPropertyDescription(
          name, fetchRequest: request, details: try propertyDetails(object, name: name)))
    case "NSExpressionDescription": break
    case _ where object["NSAttributeType"]?.integer == AttributeType.compositeNumber:
      try addComposite(object, name: name, isTransient: isTransient, depth: 0, to: &properties)
    case _ where object["NSAttributeType"] != nil:
      properties.add(try attribute(object, name: name), isTransient: isTransient)
    case let className:
      let what = className.map { ModelNotes.quoted($0) } ?? "a value"
      notes.add("\(ModelNotes.quoted(name)) was left out: it is \(what), not a property")
    }
  }

  /// Reads the details that attributes, relationships and fetched properties have in common.
  mutating func propertyDetails(
    _ object: ArchivedObject, name: String
  ) throws(ModelFileError) -> PropertyDetails {
    PropertyDetails(
      renamingIdentifier: renaming(of: object, from: name),
      versionHashModifier: object["NSVersionHashModifier"]?.string,
      userInfo: try userInfo(of: object), validations: try validations(of: object, name: name),
      isIndexedBySpotlight: object["NSIndexedBySpotlight"]?.bool ?? false,
      isIndexed: object["NSIsIndexed"]?.bool ?? false)
  }

  private mutating func validations(
    of object: ArchivedObject, name: String
  ) throws(ModelFileError) -> [ValidationRule] {
    let warnings = try budget.members(of: object["NSValidationWarnings"])
    var rules: [ValidationRule] = []
    for (index, predicate) in try budget.members(of: object["NSValidationPredicates"]).enumerated()
    {
      guard let text = try PredicateDecoder.text(ofPredicate: predicate, &budget) else {
        noteInexpressible("A validation rule of \(ModelNotes.quoted(name))")
        continue
      }
      let warning = index < warnings.count ? warnings[index].text : nil
      rules.append(ValidationRule(text, warning: warning))
    }
    return rules
  }

  private mutating func relationship(
    _ object: ArchivedObject, name: String
  ) throws(ModelFileError) -> RelationshipDescription {
    let maximum = object["NSMaxCount"]?.integer ?? 0
    let isToMany = maximum != 1
    let destination =
      object["_NSDestinationEntityName"] ?? object["NSDestinationEntity"]?["NSEntityName"]
    let inverse =
      object["_NSInverseRelationshipName"] ?? object["NSInverseRelationship"]?["NSPropertyName"]
    return RelationshipDescription(
      name, to: destination?.string ?? "", inverse: inverse?.string, isToMany: isToMany,
      isOrdered: isToMany && object["NSIsOrdered"]?.bool ?? false,
      isOptional: object["NSIsOptional"]?.bool ?? false,
      deleteRule: DeleteRule(coreDataNumber: object["NSDeleteRule"]?.integer ?? 0),
      details: RelationshipDetails(
        property: try propertyDetails(object, name: name),
        minCount: max(0, object["NSMinCount"]?.integer ?? 0), maxCount: max(0, maximum)))
  }
}

extension DeleteRule {
  /// The rules by `NSDeleteRule`, their number in archives (core-data-stores 3.1).
  private static let byNumber: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]

  /// Creates a rule from its `NSDeleteRule`; an unknown number gives No Action.
  init(coreDataNumber number: Int) {
    self = Self.byNumber.indices.contains(number) ? Self.byNumber[number] : .noAction
  }

  /// The rule's `NSDeleteRule`; Nullify for a rule that Core Data does not have.
  var coreDataNumber: Int { Self.byNumber.firstIndex(of: self) ?? 1 }
}
