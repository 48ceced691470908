import ObjectModel

extension ModelDecoder {
  /// Bits of an attribute's flags (core-data-stores 3.1).
  private static let externalFlag = 4
  private static let preservesFlag = 16

  /// Reads an attribute that is no composite.
  mutating func attribute(
    _ object: ArchivedObject, name: String
  ) throws(ModelFileError) -> AttributeDescription {
    let number = object["NSAttributeType"]?.integer ?? 0
    let type = AttributeType(coreDataNumber: number)
    let flags = object["NSFlagsKey"]?.integer ?? 0
    var details = AttributeDetails(property: try propertyDetails(object, name: name))
    details.valueClassName = object["NSAttributeValueClassName"]?.string
    details.valueTransformerName = object["NSValueTransformerName"]?.string
    details.allowsExternalBinaryDataStorage =
      (type == .binaryData || type == .transformable) && flags & Self.externalFlag != 0
    details.preservesValueInHistoryOnDeletion = flags & Self.preservesFlag != 0
    details.allowsCloudEncryption = object["NSAllowsCloudEncryption"]?.bool ?? false
    details.derivation = try derivation(of: object, name: name)
    details.unknownTypeNumber = type == nil ? number : nil
    let defaultValue = object["NSDefaultValue"]
    let value = defaultValue?.plainValue
    if let defaultValue, value == nil { details.defaultClassName = defaultValue.className }
    return AttributeDescription(
      name, type ?? .undefined,
      encoding: (type ?? .undefined).coreDataEncoding(
        isExternal: details.allowsExternalBinaryDataStorage),
      isOptional: object["NSIsOptional"]?.bool ?? false, defaultValue: value ?? .null,
      isReadOnly: details.derivation != nil, details: details)
  }

  private mutating func derivation(
    of object: ArchivedObject, name: String
  ) throws(ModelFileError) -> AttributeDetails.Derivation? {
    guard let expression = object["NSDerivationExpression"] else { return nil }
    guard let text = try PredicateDecoder.text(ofExpression: expression, &budget) else {
      notes.add("How \(ModelNotes.quoted(name)) is derived cannot be put into words")
      return AttributeDetails.Derivation("")
    }
    var derivation = AttributeDetails.Derivation(text)
    if let filter = object["NSFilteringPredicate"] {
      derivation.filter = try PredicateDecoder.text(ofPredicate: filter, &budget)
      if derivation.filter == nil {
        notes.add(
          "Which objects \(ModelNotes.quoted(name)) is derived for cannot be put into words")
      }
    }
    return derivation
  }

  /// Adds a composite attribute, and its leaves by their paths.
  ///
  /// The key of its elements in an archive is not known, so they are found by what they are.
  mutating func addComposite(
    _ object: ArchivedObject, name: String, isTransient: Bool, depth: Int,
    to properties: inout OwnProperties
  ) throws(ModelFileError) {
    guard depth < 10 else { return notes.add("\(ModelNotes.quoted(name)) is nested too deep") }
    properties.details.composites.append(
      CompositeAttributeDescription(
        name,
        details: try propertyDetails(object, name: object["NSPropertyName"]?.string ?? name)))
    for element in try elements(of: object) {
      guard let own = element["NSPropertyName"]?.string else { continue }
      let path = name + "." + own
      try budget.spend(1 + path.utf8.count)
      if element["NSAttributeType"]?.integer == AttributeType.compositeNumber {
        try addComposite(
          element, name: path, isTransient: isTransient, depth: depth + 1, to: &properties)
      } else {
        var leaf = try attribute(element, name: path)
        leaf.details.compositeName = name
        if leaf.details.property.renamingIdentifier == own {
          leaf.details.property.renamingIdentifier = nil
        }
        properties.add(leaf, isTransient: isTransient)
      }
    }
  }

  private mutating func elements(
    of composite: ArchivedObject
  ) throws(ModelFileError) -> [ArchivedObject] {
    for key in composite.keys where key != "NSEntity" {
      guard let list = composite[key], list.memberCount > 0 else { continue }
      let members =
        list.isArray
        ? try budget.members(of: list) : try budget.values(of: list).map(\.value)
      if !members.isEmpty, members.allSatisfy({ $0["NSAttributeType"] != nil }) {
        return members
      }
    }
    return []
  }
}
