/// Describes an entity: its attributes, relationships and constraints.
public struct EntityDescription: Hashable, Sendable {
  /// The entity's name.
  public let name: String
  /// The name of the super-entity; nil for a root entity.
  public let superentityName: String?
  /// Whether only its sub-entities have objects.
  public let isAbstract: Bool
  /// The attributes, inherited ones first; a ``RowSnapshot`` has its values in this order.
  public let attributes: [AttributeDescription]
  /// The relationships, inherited ones first.
  public let relationships: [RelationshipDescription]
  /// The to-one relationships; a ``RowSnapshot`` has its destinations in this order.
  package let toOneRelationships: [RelationshipDescription]
  /// Uniqueness constraints: names of attributes and to-one relationships whose combined values are
  /// unique.
  public let uniquenessConstraints: [[String]]
  /// The attributes whose stored values form the primary key, in order; empty if no attribute
  /// contains the key, as in Core Data stores.
  public let keyAttributes: [String]
  /// Why objects cannot be changed, such as “Totals is a view”; nil if they can.
  public let readOnlyReason: String?
  /// What only Core Data models have; default values for plain databases.
  public var details: EntityDetails { boxedDetails.value }

  private let boxedDetails: Boxed<EntityDetails>
  private static let defaultDetails = Boxed(EntityDetails())
  private let attributeIndexes: [String: Int]
  private let relationshipIndexes: [String: Int]
  private let toOneIndexes: [String: Int]

  /// Creates an entity description.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - superentityName: The name of the super-entity; nil for a root entity.
  ///   - isAbstract: Whether only its sub-entities have objects.
  ///   - attributes: All attributes, inherited ones first. The first of two with the same name is
  ///     used.
  ///   - relationships: All relationships, inherited ones first.
  ///   - uniquenessConstraints: Names of properties whose combined values are unique.
  ///   - keyAttributes: The attributes that form the primary key.
  ///   - readOnlyReason: Why objects cannot be changed; nil if they can.
  ///   - details: What only Core Data models have; nil for default values.
  public init(
    name: String, superentityName: String? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
    uniquenessConstraints: [[String]] = [], keyAttributes: [String] = [],
    readOnlyReason: String? = nil, details: EntityDetails? = nil
  ) {
    self.name = name
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.toOneRelationships = relationships.filter { !$0.isToMany }
    self.uniquenessConstraints = uniquenessConstraints
    self.keyAttributes = keyAttributes
    self.readOnlyReason = readOnlyReason
    boxedDetails = details.map { Boxed($0) } ?? Self.defaultDetails
    attributeIndexes = Self.indexes(attributes.map(\.name))
    relationshipIndexes = Self.indexes(relationships.map(\.name))
    toOneIndexes = Self.indexes(toOneRelationships.map(\.name))
  }

  /// The index of an attribute in ``attributes``; nil if there is no such attribute.
  package func attributeIndex(_ name: String) -> Int? { attributeIndexes[name] }

  /// The attribute with a name; nil if there is none.
  public func attribute(named name: String) -> AttributeDescription? {
    attributeIndexes[name].map { attributes[$0] }
  }

  /// The relationship with a name; nil if there is none.
  public func relationship(named name: String) -> RelationshipDescription? {
    relationshipIndexes[name].map { relationships[$0] }
  }

  /// The index of a to-one relationship in `toOneRelationships`; nil if there is no such
  /// relationship.
  package func toOneIndex(_ name: String) -> Int? { toOneIndexes[name] }

  private static func indexes(_ names: [String]) -> [String: Int] {
    Dictionary(firstOf: zip(names, names.indices))
  }
}

extension EntityDescription {
  /// Returns a copy with some parts replaced; nil keeps a part.
  package func changed(
    superentityName: String?? = nil, attributes: [AttributeDescription]? = nil,
    relationships: [RelationshipDescription]? = nil, uniquenessConstraints: [[String]]? = nil,
    keyAttributes: [String]? = nil, details: EntityDetails? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: superentityName ?? self.superentityName, isAbstract: isAbstract,
      attributes: attributes ?? self.attributes,
      relationships: relationships ?? self.relationships,
      uniquenessConstraints: uniquenessConstraints ?? self.uniquenessConstraints,
      keyAttributes: keyAttributes ?? self.keyAttributes, readOnlyReason: readOnlyReason,
      details: details ?? self.details)
  }
}
