import ObjectModel

/// Classes with the entities that they declare, each with its own properties only.
struct DeclaredClasses {
  private(set) var entities: [Entity]

  /// Collects what classes declare.
  ///
  /// - Throws: ``ModelError`` for what a class cannot declare.
  init(_ types: [any EntityClass.Type]) throws(ModelError) {
    try Self.checkNames(types)
    entities = []
    for type in types {
      let parent = Self.parent(of: type, in: types)
      try Self.checkSuperclass(of: type, in: types)
      let own = Entity(type.entityName, extends: parent?.entityName) { type.properties }
      let inherited = parent.map { parent in
        Entity(type.entityName, extends: parent.entityName) { parent.properties }
      }
      // A class that does not override the properties has those of its superclass.
      var entity =
        own == inherited ? Entity(type.entityName, extends: parent?.entityName) : own
      try Self.check(&entity, of: type, in: types)
      entity.details.className = "\(type)"
      entities.append(entity)
    }
    try checkDestinations()
  }

  private static func checkNames(_ types: [any EntityClass.Type]) throws(ModelError) {
    var classes: [String: any EntityClass.Type] = [:]
    for type in types {
      guard let other = classes.updateValue(type, forKey: type.entityName) else { continue }
      throw ModelError(
        .sharedEntityName(type.entityName, className: "\(other)", otherClassName: "\(type)"))
    }
  }

  /// The nearest superclass of a class among others.
  private static func parent(
    of type: any EntityClass.Type, in types: [any EntityClass.Type]
  ) -> (any EntityClass.Type)? {
    types.filter { $0 != type && isKind(type, of: $0) }.max { isKind($1, of: $0) }
  }

  /// Whether a class is another one or a subclass of it.
  private static func isKind<Class: EntityClass>(
    _ type: any EntityClass.Type, of other: Class.Type
  ) -> Bool { type is Class.Type }

  /// The class that declares the conformance to ``EntityClass``.
  private static func keyOwner<Class: EntityClass>(
    of type: Class.Type
  ) -> (any EntityClass.Type)? { Class.KeyOwner.self as? any EntityClass.Type }

  private static func checkSuperclass(
    of type: any EntityClass.Type, in types: [any EntityClass.Type]
  ) throws(ModelError) {
    guard let owner = keyOwner(of: type), !types.contains(where: { $0 == owner }) else { return }
    throw ModelError(.unlistedSuperclass(className: "\(type)", superclass: "\(owner)"))
  }

  /// Checks the keys of a class, and leaves out those that it repeats from its superclasses.
  private static func check(
    _ entity: inout Entity, of type: any EntityClass.Type, in types: [any EntityClass.Type]
  ) throws(ModelError) {
    let className = "\(type)"
    if entity.isEmpty, entity.superentityName == nil {
      throw ModelError(.noProperties(className: className))
    }
    for key in entity.keys {
      if key.isPath {
        throw ModelError(.declaredKeyPath("\(key.ownerName).\(key.keyPath)", className: className))
      }
      if key.owner == ObjectIdentifier(type) { continue }
      guard types.contains(where: { isKind(type, of: $0) && ObjectIdentifier($0) == key.owner })
      else {
        throw ModelError(
          .declaredForeignKey("\(key.ownerName).\(key.keyPath)", className: className))
      }
      entity.attributes.removeAll { $0.name == key.keyPath }
      entity.relationships.removeAll { $0.name == key.keyPath }
      entity.details.fetchedProperties.removeAll { $0.name == key.keyPath }
    }
    for relationship in entity.relationships where relationship.isToMany {
      let (least, most) = (relationship.details.minCount, relationship.details.maxCount)
      if least >= 0, most == 0 || most > 1 && least <= most { continue }
      throw ModelError(
        .impossibleCount(
          relationship: "\(entity.name).\(relationship.name)", minCount: least, maxCount: most))
    }
  }

  /// Checks that relationships lead to entities of the model.
  private func checkDestinations() throws(ModelError) {
    let names = Set(entities.map(\.name))
    for entity in entities {
      for relationship in entity.relationships
      where !names.contains(relationship.destinationEntityName) {
        let key = entity.keys.first { $0.keyPath == relationship.name }
        guard let destination = key?.destination else { continue }
        let name = "\(entity.name).\(relationship.name)"
        throw ModelError(
          destination.isEntityClass
            ? .unlistedDestination(relationship: name, className: destination.className)
            : .destinationIsNoEntityClass(relationship: name, className: destination.className))
      }
      for property in entity.details.fetchedProperties {
        try check(property, of: entity, among: names)
      }
    }
  }
}

// Fetched properties.
extension DeclaredClasses {
  private func check(
    _ property: FetchedPropertyDescription, of entity: Entity, among names: Set<String>
  ) throws(ModelError) {
    let name = "\(entity.name).\(property.name)"
    let request = property.fetchRequest
    guard names.contains(request.entityName) else {
      throw ModelError(
        .invalidFetchedProperty(
          name, detail: "there is no entity \(request.entityName) in the model"))
    }
    guard let format = request.predicate else { return }
    do { _ = try FetchPredicate(format: format) } catch {
      throw ModelError(.invalidFetchedProperty(name, detail: "\(error)"))
    }
  }
}

// Inverses.
extension DeclaredClasses {
  /// Where a relationship is declared.
  private struct Declaration: Hashable {
    let entity: Int
    let relationship: Int
  }

  /// Gives relationships that name no inverse the one that names them.
  ///
  /// - Throws: ``ModelError`` if several name the same one. That two disagree is found by
  ///   ``ManagedObjectModel/validate()``.
  mutating func completeInverses() throws(ModelError) {
    var claims: [Declaration: [Declaration]] = [:]
    for (index, entity) in entities.enumerated() {
      for (number, relationship) in entity.relationships.enumerated() {
        guard let inverse = relationship.inverseName,
          let declaration = declaration(of: inverse, in: relationship.destinationEntityName)
        else { continue }
        claims[declaration, default: []].append(Declaration(entity: index, relationship: number))
      }
    }
    // In the order of the classes, so that the error is the same each time.
    let sorted = claims.sorted {
      ($0.key.entity, $0.key.relationship) < ($1.key.entity, $1.key.relationship)
    }
    for (declaration, claimants) in sorted {
      let relationship = entities[declaration.entity].relationships[declaration.relationship]
      guard relationship.inverseName == nil else { continue }
      guard claimants.count == 1 else {
        throw ModelError(.severalInverses(of: name(of: declaration), claimants.map(name)))
      }
      let claimant = entities[claimants[0].entity].relationships[claimants[0].relationship]
      entities[declaration.entity].relationships[declaration.relationship].inverseName =
        claimant.name
    }
  }

  /// The declaration of a relationship that an entity has or inherits.
  private func declaration(of relationship: String, in entityName: String) -> Declaration? {
    var name: String? = entityName
    // A superclass is never a subclass of its own.
    while let entity = entities.firstIndex(where: { $0.name == name }) {
      let own = entities[entity].relationships.firstIndex { $0.name == relationship }
      if let own { return Declaration(entity: entity, relationship: own) }
      name = entities[entity].superentityName
      if name == nil { return nil }
    }
    return nil
  }

  private func name(of declaration: Declaration) -> String {
    let entity = entities[declaration.entity]
    return "\(entity.name).\(entity.relationships[declaration.relationship].name)"
  }
}

extension Entity {
  fileprivate var isEmpty: Bool {
    attributes.isEmpty && relationships.isEmpty && details.transientAttributes.isEmpty
  }
}
