/// The name of a relationship together with the entity it belongs to, as "Person.pets".
///
/// The two names are kept apart, because either may contain a dot.
public struct RelationshipName: Hashable, Sendable {
  /// The name of the entity.
  package var entityName: String
  /// The name of the relationship within the entity.
  package var name: String

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

extension RelationshipName: ExpressibleByStringLiteral {
  /// Takes a name such as "Person.pets"; one with other dots is made by ``init(_:of:)``.
  ///
  /// - Precondition: There is one dot, between the names of the entity and the relationship.
  public init(stringLiteral text: String) {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    precondition(
      names.count == 2 && !names.contains(""),
      "“\(text)” is not the name of an entity and of a relationship, as “Person.pets”.")
    self.init(String(names[1]), of: String(names[0]))
  }
}
