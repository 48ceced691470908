extension ModelText {
  /// The row of an attribute: name, type, declared type, and notes about everything that is not
  /// default.
  func row(
    of attribute: AttributeDescription, in entity: EntityDescription, isTransient: Bool
  ) -> [String] {
    let details = attribute.details
    var type = details.unknownTypeNumber.map { "type \($0)" } ?? attribute.type.rawValue
    if let transformer = details.valueTransformerName { type += " (\(transformer))" }
    var notes: [String] = []
    func note(_ text: String, if condition: Bool) { if condition { notes.append(text) } }
    note("key", if: entity.keyAttributes.contains(attribute.name))
    note("required", if: !attribute.isOptional)
    note("unique", if: entity.uniquenessConstraints.contains([attribute.name]))
    note("transient", if: isTransient)
    if let derivation = details.derivation {
      let filter = derivation.filter.map { " where \($0)" } ?? ""
      notes.append("derived: \(derivation.expression)\(filter)")
    } else {
      note("computed", if: attribute.isReadOnly)
    }
    note("default \(attribute.defaultValue)", if: !attribute.defaultValue.isNull)
    if let expression = details.defaultExpression { notes.append("default \(expression)") }
    if let name = details.defaultClassName { notes.append("default of class \(name)") }
    notes += details.property.validations.map(\.predicate)
    note("external storage", if: details.allowsExternalBinaryDataStorage)
    note("preserved in history", if: details.preservesValueInHistoryOnDeletion)
    note("cloud encryption", if: details.allowsCloudEncryption)
    let isPlain = details == AttributeDetails(defaultExpression: details.defaultExpression)
    let isDefault = attribute.encoding == attribute.type.defaultEncoding
    if let reading = attribute.reading {
      note(reading.words, if: !reading.reason.isEmpty)
    } else {
      note("stored as \(attribute.encoding.rawValue)", if: isPlain && !isDefault)
    }
    notes += propertyNotes(details.property)
    notes += inheritance(of: attribute.name, in: entity) { parent in
      parent.attributeIndex(attribute.name) != nil
        || parent.details.transientAttributes.contains { $0.name == attribute.name }
    }
    return [attribute.name, type, attribute.declaredType, Self.list(notes)]
  }

  /// The row of a relationship: name, one or many, destination, inverse, delete rule, and notes
  /// about everything that is not default.
  func row(
    of relationship: RelationshipDescription, in entity: EntityDescription, isTransient: Bool
  ) -> [String] {
    let details = relationship.details
    var notes: [String] = []
    if !relationship.isOptional { notes.append("required") }
    if isTransient { notes.append("transient") }
    if relationship.isToMany, details.minCount > 0 { notes.append("at least \(details.minCount)") }
    if relationship.isToMany, details.maxCount > 0 { notes.append("at most \(details.maxCount)") }
    notes += propertyNotes(details.property)
    notes += inheritance(of: relationship.name, in: entity) { parent in
      parent.relationship(named: relationship.name) != nil
        || parent.details.transientRelationships.contains { $0.name == relationship.name }
    }
    return [
      relationship.name,
      relationship.isToMany ? (relationship.isOrdered ? "many, ordered" : "many") : "one",
      relationship.destinationEntityName, relationship.inverseName ?? "",
      relationship.deleteRule.rawValue, Self.list(notes),
    ]
  }

  /// Notes about everything that is not default in a property's details, except validation rules.
  func propertyNotes(_ details: PropertyDetails) -> [String] {
    var notes: [String] = []
    if details.isIndexed { notes.append("indexed") }
    if details.isIndexedBySpotlight { notes.append("in Spotlight") }
    if let name = details.renamingIdentifier { notes.append("formerly \(name)") }
    if let modifier = details.versionHashModifier { notes.append("version hash \(modifier)") }
    return notes + details.userInfo.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
  }

  /// A note with the entity that a property is inherited from; empty for an own property.
  private func inheritance(
    of name: String, in entity: EntityDescription, _ has: (EntityDescription) -> Bool
  ) -> [String] {
    let owners = model.line(of: entity.name).dropFirst().prefix {
      model.entity(named: $0).map(has) ?? false
    }
    return owners.last.map { ["from \($0)"] } ?? []
  }
}
