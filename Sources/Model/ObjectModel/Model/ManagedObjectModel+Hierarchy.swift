extension ManagedObjectModel {
  /// An entity with its depth in the inheritance tree.
  package struct RankedEntity: Hashable, Sendable {
    /// The entity.
    package let entity: EntityDescription
    /// The number of its ancestors; 0 for a root entity.
    package let depth: Int
    /// Whether it has sub-entities.
    package let hasSubentities: Bool
  }

  /// The entities in depth-first order: each is followed by its sub-entities, siblings in the
  /// model's order.
  package var hierarchy: [RankedEntity] {
    let roots = entities.filter { $0.superentityName.flatMap(entity(named:)) == nil }
    var waiting = roots.reversed().map { ($0, 0) }
    var ranked: [RankedEntity] = []
    while let (next, depth) = waiting.popLast(), ranked.count < entities.count {
      let children = directSubentityNames(of: next.name).compactMap(entity(named:))
      ranked.append(
        RankedEntity(entity: next, depth: depth, hasSubentities: !children.isEmpty))
      waiting += children.reversed().map { ($0, depth + 1) }
    }
    return ranked
  }

  /// The entity that declares a constraint of another one, among whose objects and those of its
  /// subentities values are unique.
  package func entityName(declaring names: [String], for entityName: String) -> String {
    line(of: entityName).last {
      entity(named: $0)?.uniquenessConstraints.contains(names) == true
    } ?? entityName
  }

  /// The names of an entity and its superentities, itself first.
  package func line(of entityName: String) -> [String] {
    var line = [entityName]
    // The model may be invalid, and a superentity its own descendant.
    while let next = entity(named: line[line.count - 1])?.superentityName, !line.contains(next) {
      line.append(next)
    }
    return line
  }

  /// The superentity of an entity; nil for a root entity.
  package func superentity(of entity: EntityDescription) -> EntityDescription? {
    entity.superentityName.flatMap { self.entity(named: $0) }
  }

  /// The inverse of a relationship; nil if it has none.
  package func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap {
      entity(named: relationship.destinationEntityName)?.relationship(named: $0)
    }
  }

  /// What an entity declares of some kind, without what it inherits.
  package func own<Member, Name: Hashable>(
    _ members: KeyPath<EntityDescription, [Member]>, by name: KeyPath<Member, Name>,
    of entity: EntityDescription
  ) -> [Member] {
    let own = entity[keyPath: members]
    guard let inherited = superentity(of: entity)?[keyPath: members], !inherited.isEmpty else {
      return own
    }
    let names = Set(inherited.map { $0[keyPath: name] })
    return own.filter { !names.contains($0[keyPath: name]) }
  }

  /// The attributes that an entity declares.
  package func ownAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    own(\.attributes, by: \.name, of: entity)
  }

  /// The relationships that an entity declares.
  package func ownRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
    own(\.relationships, by: \.name, of: entity)
  }

  /// The uniqueness constraints that an entity declares.
  package func ownUniquenessConstraints(of entity: EntityDescription) -> [[String]] {
    own(\.uniquenessConstraints, by: \.self, of: entity)
  }
}
