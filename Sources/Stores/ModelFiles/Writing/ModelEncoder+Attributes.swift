import ObjectModel

extension ModelEncoder {
  /// Adds an entity's attributes and composites; returns their UIDs by name.
  mutating func attributes(
    of entity: EntityDescription
  ) throws(ModelFileError) -> [String: PropertyListValue] {
    let tree = CompositeTree(
      composites: entity.details.composites,
      attributes: entity.attributes.map { ($0, false) }
        + entity.details.transientAttributes.map { ($0, true) })
    var members: [String: PropertyListValue] = [:]
    for (name, uid) in try elements(in: nil, of: tree, entity: entity) { members[name] = uid }
    return members
  }

  private mutating func elements(
    in path: String?, of tree: CompositeTree, entity: EntityDescription
  ) throws(ModelFileError) -> [(name: String, uid: PropertyListValue)] {
    var elements: [(name: String, uid: PropertyListValue)] = []
    for (leaf, isTransient) in tree.leaves(in: path) {
      let name = tree.ownName(leaf.name, in: path)
      elements.append(
        (name, try encode(leaf, name: name, of: entity, isTransient: isTransient)))
    }
    for composite in tree.composites(in: path) {
      let name = tree.ownName(composite.name, in: path)
      let inner = try self.elements(in: composite.name, of: tree, entity: entity)
      var values = try values(of: composite.details, name: name, entity: entity)
      let isTransient = tree.isTransient(composite.name)
      values["NSAttributeType"] = .integer(Int64(AttributeType.compositeNumber))
      values["NSCompositeElements"] = writer.array(
        inner.sorted { $0.name < $1.name }.map(\.uid), .array)
      values["NSIsOptional"] = true
      if isTransient { values["NSIsTransient"] = true }
      values["_P"] =
        PropertyFlags(composite.details, isOptional: true, isTransient: isTransient).value
      elements.append((name, writer.add(.compositeAttribute, values)))
    }
    return elements
  }

  private mutating func encode(
    _ attribute: AttributeDescription, name: String, of entity: EntityDescription, isTransient: Bool
  ) throws(ModelFileError) -> PropertyListValue {
    let details = attribute.details
    var values = try values(of: details.property, name: name, entity: entity)
    let number = details.unknownTypeNumber ?? attribute.type.coreDataNumber
    values["NSAttributeType"] = .integer(Int64(number))
    values["NSAttributeValueClassName"] = writer.text(details.valueClassName)
    values["NSValueTransformerName"] = writer.text(details.valueTransformerName)
    values["NSDefaultValue"] =
      if let className = details.defaultClassName {
        writer.add(ArchivedClass(name: className), [:])
      } else {
        writer.add(value: attribute.defaultValue)
      }
    values["NSFlagsKey"] = .integer(
      Int64(
        (details.allowsExternalBinaryDataStorage ? AttributeFlags.externalStorage : 0)
          | (details.preservesValueInHistoryOnDeletion ? AttributeFlags.preservedInHistory : 0)))
    if attribute.isOptional { values["NSIsOptional"] = true }
    if isTransient { values["NSIsTransient"] = true }
    if details.allowsCloudEncryption { values["NSAllowsCloudEncryption"] = true }
    values["_P"] =
      PropertyFlags(
        details.property, isOptional: attribute.isOptional, isReadOnly: details.derivation != nil,
        isTransient: isTransient, allowsCloudEncryption: details.allowsCloudEncryption
      ).value
    guard let derivation = details.derivation else { return writer.add(.attribute, values) }
    values["NSIsReadOnly"] = true
    values["NSDerivationExpression"] = try writer.add(expression: derivation.expression)
    values["NSFilteringPredicate"] = KeyedArchiveWriter.null
    if let filter = derivation.filter {
      values["NSFilteringPredicate"] = try writer.add(predicate: filter)
    }
    return writer.add(.derivedAttribute, values)
  }

}
