extension ManagedObjectModel {
  /// Checks that the model is valid: names are unique, and super-entities, inherited properties,
  /// destinations, inverses, constraints, keys and default values are consistent.
  ///
  /// - Throws: ``ModelError`` for the first inconsistency.
  public func validate() throws(ModelError) {
    var names: Set<String> = []
    for entity in entities {
      if entity.name.isEmpty { throw ModelError(.emptyName(entity: nil)) }
      guard names.insert(entity.name).inserted else {
        throw ModelError(.duplicateName(entity.name, entity: nil))
      }
    }
    for entity in entities {
      try checkInheritance(of: entity)
      try checkProperties(of: entity)
      for relationship in entity.relationships { try check(relationship, of: entity) }
    }
  }

  private func suggestions(for name: String) -> [String] {
    NearestNames.suggestions(for: name, in: entities.map(\.name))
  }

  private func checkInheritance(of entity: EntityDescription) throws(ModelError) {
    var line = [entity.name]
    var current = entity
    while let name = current.superentityName {
      guard let next = self.entity(named: name) else {
        throw ModelError(
          .unknownSuperentity(
            entity: current.name, superentity: name, suggestions: suggestions(for: name)))
      }
      if line.contains(name) { throw ModelError(.inheritanceCycle(line + [name])) }
      line.append(name)
      current = next
    }
    guard let parent = entity.superentityName.flatMap({ self.entity(named: $0) }) else { return }
    let missing =
      parent.attributes.first { entity.attribute(named: $0.name) != $0 }?.name
      ?? parent.relationships.first { entity.relationship(named: $0.name) != $0 }?.name
    if let missing {
      throw ModelError(
        .notInherited(property: missing, entity: entity.name, superentity: parent.name))
    }
  }

  private func checkProperties(of entity: EntityDescription) throws(ModelError) {
    var names: Set<String> = []
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      if name.isEmpty { throw ModelError(.emptyName(entity: entity.name)) }
      guard names.insert(name).inserted else {
        throw ModelError(.duplicateName(name, entity: entity.name))
      }
    }
    for attribute in entity.attributes where !attribute.defaultValue.isNull {
      _ = try attribute.checked(attribute.defaultValue)
    }
    for names in entity.uniquenessConstraints {
      let attributes = names.filter { entity.toOneIndex($0) == nil }
      try checkAttributes(attributes, of: entity, role: "A uniqueness constraint")
    }
    try checkAttributes(entity.keyAttributes, of: entity, role: "The key")
    for relationship in entity.relationships {
      try checkAttributes(
        relationship.foreignKeyAttributes, of: entity,
        role: "The foreign key of the relationship “\(relationship.name)”")
    }
  }

  private func checkAttributes(
    _ names: [String], of entity: EntityDescription, role: String
  ) throws(ModelError) {
    guard let name = names.first(where: { entity.attribute(named: $0) == nil }) else { return }
    let known = entity.attributes.map(\.name)
    throw ModelError(
      .unknownAttribute(
        name, entity: entity.name, role: role,
        suggestions: NearestNames.suggestions(for: name, in: known)))
  }

  private func check(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) throws(ModelError) {
    let here = "\(entity.name).\(relationship.name)"
    let destinationName = relationship.destinationEntityName
    guard let destination = self.entity(named: destinationName) else {
      throw ModelError(
        .unknownDestination(
          relationship: here, destination: destinationName,
          suggestions: suggestions(for: destinationName)))
    }
    guard let inverseName = relationship.inverseName else { return }
    let there = "\(destination.name).\(inverseName)"
    guard let inverse = destination.relationship(named: inverseName) else {
      throw ModelError(
        .unknownInverse(
          relationship: here, inverse: there,
          suggestions: NearestNames.suggestions(
            for: inverseName, in: destination.relationships.map(\.name)
          ).map { "\(destination.name).\($0)" }))
    }
    let refersBack =
      isKind(entity.name, of: inverse.destinationEntityName)
      || isKind(inverse.destinationEntityName, of: entity.name)
    guard refersBack, inverse.inverseName == relationship.name else {
      throw ModelError(
        .inverseDisagrees(
          relationship: here, inverse: there, itsDestination: inverse.destinationEntityName,
          itsInverse: inverse.inverseName.map { "\(inverse.destinationEntityName).\($0)" }))
    }
  }

  /// Whether an entity is the same as another or one of its sub-entities, at any depth.
  package func isKind(_ name: String, of ancestor: String) -> Bool {
    entityNames(inheritingFrom: ancestor).contains(name)
  }
}
