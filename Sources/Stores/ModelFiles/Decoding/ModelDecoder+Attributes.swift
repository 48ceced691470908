import ObjectModel

extension ModelDecoder {
  /// Reads an attribute that is not a composite.
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
      (type == .binaryData || type == .transformable) && flags & AttributeFlags.externalStorage != 0
    details.preservesValueInHistoryOnDeletion = flags & AttributeFlags.preservedInHistory != 0
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
      noteInexpressible("The derivation of \(ModelNotes.quoted(name))")
      return AttributeDetails.Derivation("")
    }
    var derivation = AttributeDetails.Derivation(text)
    if let filter = object["NSFilteringPredicate"] {
      derivation.filter = try self.text(
        ofPredicate: filter, "derivation filter of \(ModelNotes.quoted(name))")
    }
    return derivation
  }

  /// Adds a composite attribute, and its leaf attributes named by their key paths.
  ///
  /// The elements are found by their content, whatever key an archive has for them.
  mutating func addComposite(
    _ object: ArchivedObject, name: String, isTransient: Bool, depth: Int,
    to properties: inout OwnProperties
  ) throws(ModelFileError) {
    guard depth < 10 else { return notes.add("\(ModelNotes.quoted(name)) is nested too deeply") }
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
