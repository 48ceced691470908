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

  /// The names of an entity and its superentities, itself first.
  package func line(of entityName: String) -> [String] {
    var line = [entityName]
    // The model may be invalid, and a superentity its own descendant.
    while let next = entity(named: line[line.count - 1])?.superentityName, !line.contains(next) {
      line.append(next)
    }
    return line
  }
}
