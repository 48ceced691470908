package import ObjectModel

/// Makes a whole model of entities that list their own properties only, and mends what does not fit.
///
/// Files that were not written by a model's own tools may name what does not exist. What cannot be kept is left out with
/// a note, so that `validate()` accepts the result whatever was read.
package struct ModelAssembly {
  static let maximumEntities = 10_000
  static let maximumDepth = 100

  /// The entities, with their own properties.
  private var entities: [String: EntityDescription] = [:]
  /// The entity that each inherits from.
  private var parents: [String: String] = [:]
  /// Their names: entities before those that inherit from them, siblings by name.
  private var order: [String] = []
  private var notes: ModelNotes
  private var budget = DecodingBudget()

  /// Assembles a model.
  ///
  /// Entities come in the order in which a store numbers them (core-data-stores 4.1). Inherited properties,
  /// uniqueness constraints, composites and fetched properties stand before an entity's own.
  ///
  /// - Parameters:
  ///   - entities: Entities with their own properties only; inherited ones are left out by name.
  ///   - details: What the model says beside.
  ///   - notes: What is to be said already.
  /// - Returns: The model, which is whole, and what was left out.
  /// - Throws: ``ModelFileError`` when there are no entities, or more than any model has.
  package static func model(
    of entities: [EntityDescription], details: ModelDetails = ModelDetails(),
    notes: ModelNotes = ModelNotes()
  ) throws(ModelFileError) -> DecodedModel {
    var assembly = ModelAssembly(notes: notes)
    try assembly.gather(entities)
    assembly.mendInheritance()
    assembly.sort()
    try assembly.mendProperties()
    assembly.mendInverses()
    let whole = try assembly.wholeEntities()
    let model = ManagedObjectModel(entities: whole, details: assembly.mended(details))
    return DecodedModel(model: model, notes: assembly.notes.sentences)
  }

  private init(notes: ModelNotes) { self.notes = notes }

  private mutating func gather(_ entities: [EntityDescription]) throws(ModelFileError) {
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
    guard !self.entities.isEmpty else { throw ModelFileError(.incomplete, detail: "no entity") }
  }

  /// Cuts what inherits from nothing, from itself, or over too many generations.
  private mutating func mendInheritance() {
    for name in entities.keys.sorted() {
      guard let parent = parents[name] else { continue }
      if entities[parent] == nil {
        cut(name, because: "there is no entity \(ModelNotes.quoted(parent))")
      } else if ancestors(of: name).count > Self.maximumDepth {
        cut(name, because: "it inherits from itself, or over too many generations")
      }
    }
  }

  private mutating func cut(_ name: String, because reason: String) {
    entities[name] = entities[name]?.changed(superentityName: .some(nil))
    parents[name] = nil
    notes.add("\(ModelNotes.quoted(name)) inherits from nothing, because \(reason)")
  }

  /// The entities that one inherits from, nearest first; one more than allowed where there is no end.
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

  /// Leaves out properties that are inherited or lead nowhere, and what names them.
  private mutating func mendProperties() throws(ModelFileError) {
    var names: [String: Set<String>] = [:]
    for name in order {
      guard let entity = entities[name] else { continue }
      var taken = parents[name].flatMap { names[$0] } ?? []
      let attributes = entity.attributes.filter { isNew($0.name, &taken) }.map {
        mended($0, of: name)
      }
      let relationships = entity.relationships.filter {
        isNew($0.name, &taken) && leadsSomewhere($0, of: name)
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

  /// Whether a property's name is not taken yet.
  private func isNew(_ name: String, _ taken: inout Set<String>) -> Bool {
    !name.isEmpty && taken.insert(name).inserted
  }

  /// An attribute whose default is of its type.
  private mutating func mended(
    _ attribute: AttributeDescription, of entity: String
  ) -> AttributeDescription {
    guard !attribute.defaultValue.isNull else { return attribute }
    var attribute = attribute
    do {
      attribute.defaultValue = try attribute.checked(attribute.defaultValue)
    } catch {
      attribute.defaultValue = .null
      notes.add("The default of \(ModelNotes.quoted(entity, attribute.name)) does not fit its type")
    }
    return attribute
  }

  private mutating func leadsSomewhere(
    _ relationship: RelationshipDescription, of entity: String
  ) -> Bool {
    if entities[relationship.destinationEntityName] != nil { return true }
    notes.add(
      "\(ModelNotes.quoted(entity, relationship.name)) was left out: it leads to "
        + "\(ModelNotes.quoted(relationship.destinationEntityName)), which does not exist"
    )
    return false
  }

  /// A relationship that an entity has or inherits.
  private func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    for owner in [entity] + ancestors(of: entity) {
      if let found = entities[owner]?.relationship(named: name) { return found }
    }
    return nil
  }

  private func isKind(_ entity: String, of ancestor: String) -> Bool {
    entity == ancestor || ancestors(of: entity).contains(ancestor)
  }

  /// Drops inverses that do not name each other, until all that are left do.
  private mutating func mendInverses() {
    var heirs: [String: [String]] = [:]
    for name in order {
      for owner in [name] + ancestors(of: name) { heirs[owner, default: []].append(name) }
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      for name in order {
        guard let entity = entities[name] else { continue }
        var relationships = entity.relationships
        for place in relationships.indices {
          guard let inverse = relationships[place].inverseName,
            !agrees(relationships[place], with: inverse, heirs: heirs[name] ?? [])
          else { continue }
          relationships[place].inverseName = nil
          isChanged = true
          notes.add(
            "\(ModelNotes.quoted(name, relationships[place].name)) has no inverse: "
              + "\(ModelNotes.quoted(inverse)) does not lead back"
          )
        }
        entities[name] = entity.changed(relationships: relationships)
      }
    }
  }

  private func agrees(
    _ relationship: RelationshipDescription, with inverseName: String, heirs: [String]
  ) -> Bool {
    guard let inverse = self.relationship(inverseName, of: relationship.destinationEntityName),
      inverse.inverseName == relationship.name
    else { return false }
    let back = inverse.destinationEntityName
    return heirs.allSatisfy { isKind($0, of: back) || isKind(back, of: $0) }
  }

  /// The entities with all that they inherit.
  private mutating func wholeEntities() throws(ModelFileError) -> [EntityDescription] {
    var whole: [String: EntityDescription] = [:]
    for name in order {
      guard var entity = entities[name] else { continue }
      if let parent = entity.superentityName.flatMap({ whole[$0] }) {
        entity = entity.inheriting(parent)
      }
      try budget.spend(
        properties: entity.uniquenessConstraints.count + entity.details.composites.count)
      let constraints = entity.uniquenessConstraints.filter { names in
        let isKnown =
          !names.isEmpty
          && names.allSatisfy { entity.attributeIndex($0) != nil || entity.toOneIndex($0) != nil }
        if !isKnown {
          notes.add("A constraint of \(ModelNotes.quoted(name)) names what it does not have")
        }
        return isKnown
      }
      whole[name] = entity.changed(uniquenessConstraints: constraints)
    }
    return order.compactMap { whole[$0] }
  }

  /// What the model says beside, without entities that do not exist.
  private mutating func mended(_ details: ModelDetails) -> ModelDetails {
    var details = details
    details.configurations = details.configurations.mapValues { names in
      names.filter { entities[$0] != nil }
    }
    return details
  }
}
