extension ManagedObjectModel {
  /// An entity and its place among those it inherits from.
  public struct RankedEntity: Hashable, Sendable {
    /// The entity.
    public let entity: EntityDescription
    /// How many entities it inherits from; 0 for a root.
    public let depth: Int
    /// Whether others inherit from it.
    public let hasSubentities: Bool
  }

  /// The entities as a tree, flattened: each is followed by those that inherit from it, else in the model's order.
  public var hierarchy: [RankedEntity] {
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
}
