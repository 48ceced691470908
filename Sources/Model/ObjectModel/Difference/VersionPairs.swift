/// Two names of the later version that want to be the same one of the earlier.
package struct RenamingClaim {
  /// The one that has it.
  package let owner: String
  package let name: String
  package let source: String
}

/// Which entities, or which properties of an entity, of two versions of a model belong together.
package struct VersionPairs<Item> {
  /// Those of the destination in its order, each with what it was; then those that are removed.
  package let pairs: [(source: Item?, destination: Item?)]
  package let claims: [RenamingClaim]

  /// Pairs items by their renaming identifiers, then by their names.
  ///
  /// An identifier is the name in the version before, or in the first one (the *canonical* name, so
  /// that versions may be skipped): both versions may have the same one. It outlives its version, so
  /// that it may name something that the source has no more.
  package init(
    _ sources: [Item], _ destinations: [Item], name: (Item) -> String,
    renamingIdentifier: (Item) -> String?
  ) {
    let old = sources.map { (name: name($0), id: renamingIdentifier($0)) }
    let new = destinations.map { (name: name($0), id: renamingIdentifier($0)) }
    typealias Version = (name: String, id: String?)
    let rules: [(Version, Version) -> Bool] = [
      { old, new in new.id != nil && old == new },
      { old, new in new.id != nil && old.id == new.id },
      { old, new in old.name == new.id },
      { old, new in old.name == new.name },
      // Back to an earlier version.
      { old, new in new.id == nil && old.id == new.name },
    ]
    var found = [Int?](repeating: nil, count: new.count)
    var owners = [Int?](repeating: nil, count: old.count)
    for rule in rules {
      for index in new.indices where found[index] == nil {
        guard
          let match = old.indices.first(where: { owners[$0] == nil && rule(old[$0], new[index]) })
        else { continue }
        (found[index], owners[match]) = (match, index)
      }
    }
    claims = new.indices.compactMap { index -> RenamingClaim? in
      guard found[index] == nil, let id = new[index].id,
        let taken = old.indices.first(where: { old[$0].name == id }), let owner = owners[taken]
      else { return nil }
      return RenamingClaim(owner: new[owner].name, name: new[index].name, source: id)
    }
    pairs =
      new.indices.map { (found[$0].map { sources[$0] }, destinations[$0]) }
      + old.indices.filter { owners[$0] == nil }.map { (sources[$0], nil) }
  }
}

extension VersionPairs<RelationshipDescription> {
  /// Pairs the relationships of two entities that belong together.
  package init(from source: EntityDescription, to destination: EntityDescription) {
    self.init(
      source.relationships, destination.relationships, name: \.name,
      renamingIdentifier: \.details.property.renamingIdentifier)
  }
}

extension VersionPairs<AttributeDescription> {
  /// Pairs the attributes of two entities that belong together.
  package init(from source: EntityDescription, to destination: EntityDescription) {
    self.init(
      source.attributes, destination.attributes, name: \.name,
      renamingIdentifier: \.details.property.renamingIdentifier)
  }
}

extension VersionPairs<EntityDescription> {
  /// Pairs the entities of two versions of a model.
  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(
      source.entities, destination.entities, name: \.name,
      renamingIdentifier: \.details.renamingIdentifier)
  }
}

/// The names that entities have in the other version of a model.
package struct EntityNames {
  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel
  /// The names in the destination, by those in the source.
  package let destinationName: [String: String]
  /// The names in the source, by those in the destination.
  package let sourceName: [String: String]

  package init(
    _ pairs: [(source: EntityDescription?, destination: EntityDescription?)],
    source: ManagedObjectModel, destination: ManagedObjectModel
  ) {
    (self.source, self.destination) = (source, destination)
    let names = pairs.compactMap { pair in
      pair.source.flatMap { old in pair.destination.map { (old.name, $0.name) } }
    }
    destinationName = Dictionary(firstOf: names)
    sourceName = Dictionary(firstOf: names.map { ($1, $0) })
  }

  /// Whether there may be objects of an entity of the destination, or of its sub-entities.
  func hasObjects(_ entity: EntityDescription) -> Bool {
    destination.entityNames(inheritingFrom: entity.name).contains { name in
      sourceName[name].flatMap(source.entity(named:)).map { !$0.isAbstract } ?? false
    }
  }

  /// The superentity of an entity of the destination, and the entity of the source that it was; nil
  /// if there are none.
  func superentities(of entity: EntityDescription) -> (EntityDescription, EntityDescription)? {
    guard let later = destination.superentity(of: entity),
      let earlier = sourceName[later.name].flatMap(source.entity(named:))
    else { return nil }
    return (earlier, later)
  }

  /// The name that the inverse of a relationship of the source has in the destination; its own if it
  /// is removed there.
  func inverseName(of relationship: RelationshipDescription?) -> String? {
    guard let relationship, let inverse = relationship.inverseName else { return nil }
    guard let old = source.entity(named: relationship.destinationEntityName),
      let new = destinationName[old.name].flatMap(destination.entity(named:))
    else { return inverse }
    let pairs = VersionPairs<RelationshipDescription>(from: old, to: new)
    return pairs.pairs.first { $0.source?.name == inverse }?.destination?.name ?? inverse
  }
}
