import ObjectModel

/// Assembles a valid model from entities that list only their own properties, and repairs
/// inconsistencies.
///
/// A file may refer to entities or properties that do not exist. What cannot be kept is left out
/// with a note, so that `validate()` accepts the result of any input.
struct ModelAssembly {
  static let maximumEntities = 10_000
  static let maximumDepth = 100

  /// The entities by name, with their own properties only.
  private var entities: [String: EntityDescription] = [:]
  /// The name of each entity's super-entity.
  private var parents: [String: String] = [:]
  /// The entity names in depth-first order, super-entities first, siblings by case-insensitive
  /// name.
  private var order: [String] = []
  private var notes: ModelNotes
  private var budget = DecodingBudget()

  /// Assembles a model.
  ///
  /// Entities are in the order of a store's entity numbers (core-data-stores 4.1). Inherited
  /// properties, uniqueness constraints, composites and fetched properties precede an entity's own.
  ///
  /// - Parameters:
  ///   - entities: The entities. A property with the name of an inherited one is ignored.
  ///   - details: Configurations, fetch request templates and version identifiers.
  ///   - notes: The notes made so far.
  /// - Returns: The valid model, with notes about what was left out.
  /// - Throws: ``ModelFileError`` when no entity has a name, or there are more than the limit.
  static func model(
    of entities: [EntityDescription], details: ModelDetails = ModelDetails(),
    notes: ModelNotes = ModelNotes()
  ) throws(ModelFileError) -> DecodedModel {
    var assembly = ModelAssembly(notes: notes)
    try assembly.collect(entities)
    assembly.repairInheritance()
    assembly.sort()
    try assembly.repairProperties()
    assembly.repairInverses()
    let complete = try assembly.completeEntities()
    let model = ManagedObjectModel(entities: complete, details: assembly.repaired(details))
    return DecodedModel(model: model, notes: assembly.notes.sentences)
  }

  private init(notes: ModelNotes) { self.notes = notes }

  private mutating func collect(_ entities: [EntityDescription]) throws(ModelFileError) {
    guard entities.count <= Self.maximumEntities else {
      throw ModelFileError(.tooLarge, detail: "it has more than \(Self.maximumEntities) entities")
    }
    for entity in entities {
      if entity.name.isEmpty {
        notes.add("An entity without a name was left out")
      } else if self.entities[entity.name] != nil {
        notes.add("A second entity \(ModelNotes.quoted(entity.name)) was left out")
      } else {
        self.entities[entity.name] = entity
        parents[entity.name] = entity.superentityName
      }
    }
    guard entities.isEmpty || !self.entities.isEmpty else {
      throw ModelFileError(.incomplete, detail: "it has no entity")
    }
  }

  /// Removes the super-entity of an entity if it does not exist or the inheritance is cyclic or too
  /// deep.
  private mutating func repairInheritance() {
    for name in entities.keys.sorted() {
      guard let parent = parents[name] else { continue }
      if entities[parent] == nil {
        removeParent(of: name, because: "there is no entity \(ModelNotes.quoted(parent))")
      } else if ancestors(of: name).count > Self.maximumDepth {
        removeParent(of: name, because: "its inheritance is cyclic or too deep")
      }
    }
  }

  private mutating func removeParent(of name: String, because reason: String) {
    entities[name] = entities[name]?.changed(superentityName: .some(nil))
    parents[name] = nil
    notes.add("\(ModelNotes.quoted(name)) was made a root entity, because \(reason)")
  }

  /// The ancestors of an entity, nearest first; in a cycle the list stops after the maximum depth
  /// plus one.
  private func ancestors(of name: String) -> [String] {
    var line: [String] = []
    while line.count <= Self.maximumDepth, let next = parents[line.last ?? name] {
      line.append(next)
    }
    return line
  }

  private mutating func sort() {
    let children = Dictionary(grouping: entities.keys) { parents[$0] ?? "" }
    var waiting = Self.sorted(children[""] ?? []).reversed() as [String]
    while let name = waiting.popLast() {
      order.append(name)
      waiting += Self.sorted(children[name] ?? []).reversed()
    }
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.map { ($0.lowercased(), $0) }.sorted { $0 < $1 }.map(\.1)
  }

  /// Removes properties with the name of an inherited one, and relationships without a destination.
  private mutating func repairProperties() throws(ModelFileError) {
    var names: [String: Set<String>] = [:]
    for name in order {
      guard let entity = entities[name] else { continue }
      var taken = parents[name].flatMap { names[$0] } ?? []
      let attributes = entity.attributes.filter { isNew($0.name, &taken) }.map {
        repaired($0, of: name)
      }
      let relationships = entity.relationships.filter {
        isNew($0.name, &taken) && hasDestination($0, of: name)
      }
      var details = entity.details
      details.transientAttributes = details.transientAttributes.filter { isNew($0.name, &taken) }
      details.transientRelationships = details.transientRelationships.filter {
        isNew($0.name, &taken)
      }
      details.fetchedProperties = details.fetchedProperties.filter { isNew($0.name, &taken) }
      entities[name] = entity.changed(
        attributes: attributes, relationships: relationships, details: details)
      names[name] = taken
      try budget.spend(properties: taken.count)
    }
  }

  /// Whether a property's name is new; the name is taken from then on.
  private func isNew(_ name: String, _ taken: inout Set<String>) -> Bool {
    !name.isEmpty && taken.insert(name).inserted
  }

  /// The attribute, without a default value that does not match its type.
  private mutating func repaired(
    _ attribute: AttributeDescription, of entity: String
  ) -> AttributeDescription {
    guard !attribute.defaultValue.isNull else { return attribute }
    var attribute = attribute
    do {
      attribute.defaultValue = try attribute.checked(attribute.defaultValue)
    } catch {
      attribute.defaultValue = .null
      notes.add(
        "The default value of \(ModelNotes.quoted(entity, attribute.name)) does not match its type")
    }
    return attribute
  }

  private mutating func hasDestination(
    _ relationship: RelationshipDescription, of entity: String
  ) -> Bool {
    if entities[relationship.destinationEntityName] != nil { return true }
    notes.add(
      "\(ModelNotes.quoted(entity, relationship.name)) was left out: its destination "
        + "\(ModelNotes.quoted(relationship.destinationEntityName)) does not exist"
    )
    return false
  }

  /// Finds a relationship of an entity, own or inherited.
  private func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    for owner in [entity] + ancestors(of: entity) {
      if let found = entities[owner]?.relationship(named: name) { return found }
    }
    return nil
  }

  private func isKind(_ entity: String, of ancestor: String) -> Bool {
    entity == ancestor || ancestors(of: entity).contains(ancestor)
  }

  /// Removes inverses that do not refer to each other, repeatedly, until all remaining ones do.
  private mutating func repairInverses() {
    var subentities: [String: [String]] = [:]
    for name in order {
      for owner in [name] + ancestors(of: name) { subentities[owner, default: []].append(name) }
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      for name in order {
        guard let entity = entities[name] else { continue }
        var relationships = entity.relationships
        for index in relationships.indices {
          guard let inverse = relationships[index].inverseName,
            !agrees(relationships[index], with: inverse, subentities: subentities[name] ?? [])
          else { continue }
          relationships[index].inverseName = nil
          isChanged = true
          notes.add(
            "\(ModelNotes.quoted(name, relationships[index].name)) was left without an inverse: "
              + "\(ModelNotes.quoted(inverse)) does not refer back to it"
          )
        }
        entities[name] = entity.changed(relationships: relationships)
      }
    }
  }

  private func agrees(
    _ relationship: RelationshipDescription, with inverseName: String, subentities: [String]
  ) -> Bool {
    guard let inverse = self.relationship(inverseName, of: relationship.destinationEntityName),
      inverse.inverseName == relationship.name
    else { return false }
    let back = inverse.destinationEntityName
    return subentities.allSatisfy { isKind($0, of: back) || isKind(back, of: $0) }
  }

  /// The entities with everything they inherit.
  private mutating func completeEntities() throws(ModelFileError) -> [EntityDescription] {
    var complete: [String: EntityDescription] = [:]
    for name in order {
      guard var entity = entities[name] else { continue }
      if let parent = entity.superentityName.flatMap({ complete[$0] }) {
        entity = entity.inheriting(from: parent)
      }
      try budget.spend(
        properties: entity.uniquenessConstraints.count + entity.details.composites.count)
      let constraints = entity.uniquenessConstraints.filter { names in
        let isKnown =
          !names.isEmpty
          && names.allSatisfy { entity.attributeIndex($0) != nil || entity.toOneIndex($0) != nil }
        if !isKnown {
          notes.add("A uniqueness constraint of \(ModelNotes.quoted(name)) has an unknown property")
        }
        return isKnown
      }
      complete[name] = entity.changed(uniquenessConstraints: constraints)
    }
    return order.compactMap { complete[$0] }
  }

  /// The model's details, without entities that do not exist in its configurations.
  private func repaired(_ details: ModelDetails) -> ModelDetails {
    var details = details
    details.configurations = details.configurations.mapValues { names in
      names.filter { entities[$0] != nil }
    }
    return details
  }
}

extension EntityDescription {
  /// Returns a copy with the parent's properties, composites and uniqueness constraints before its
  /// own.
  func inheriting(from parent: EntityDescription) -> EntityDescription {
    var details = details
    let inherited = parent.details
    details.transientAttributes = inherited.transientAttributes + details.transientAttributes
    details.transientRelationships =
      inherited.transientRelationships + details.transientRelationships
    details.composites = inherited.composites + details.composites
    details.fetchedProperties = inherited.fetchedProperties + details.fetchedProperties
    let constraints = Set(parent.uniquenessConstraints)
    let own = uniquenessConstraints.filter { !constraints.contains($0) }
    return changed(
      attributes: parent.attributes + attributes,
      relationships: parent.relationships + relationships,
      uniquenessConstraints: parent.uniquenessConstraints + own, details: details)
  }
}

/// Collects an entity's own properties while it is read.
struct OwnProperties {
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  /// Transient and fetched properties, and composites.
  var details = EntityDetails()

  /// Adds an attribute to the persistent or the transient ones.
  mutating func add(_ attribute: AttributeDescription, isTransient: Bool) {
    if isTransient {
      details.transientAttributes.append(attribute)
    } else {
      attributes.append(attribute)
    }
  }

  /// Adds a relationship to the persistent or the transient ones.
  mutating func add(_ relationship: RelationshipDescription, isTransient: Bool) {
    if isTransient {
      details.transientRelationships.append(relationship)
    } else {
      relationships.append(relationship)
    }
  }
}
