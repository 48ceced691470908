/// The name of a relationship together with the entity it belongs to, as "Person.pets".
///
/// The two names are kept apart, because either may contain a dot.
public struct RelationshipName: Hashable, Sendable {
  /// The name of the entity.
  public var entityName: String
  /// The name of the relationship within the entity.
  public var name: String

  /// Creates a name.
  public init(_ name: String, of entityName: String) {
    self.name = name
    self.entityName = entityName
  }
}

extension RelationshipName: CustomStringConvertible {
  /// Both names, separated by a dot.
  public var description: String { "\(entityName).\(name)" }
}

extension RelationshipName: Comparable {
  /// Orders by entity, then by relationship.
  public static func < (lhs: RelationshipName, rhs: RelationshipName) -> Bool {
    (lhs.entityName, lhs.name) < (rhs.entityName, rhs.name)
  }
}
