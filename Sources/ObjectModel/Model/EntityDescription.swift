/// Describes an entity: what its objects are made of.
public struct EntityDescription: Hashable, Sendable {
  /// The entity's name.
  public let name: String
  /// The entity it inherits from; nil for a root.
  public let superentityName: String?
  /// Whether it has no objects of its own.
  public let isAbstract: Bool
  /// Its attributes, inherited ones first.
  ///
  /// A ``RowSnapshot`` holds values in this order.
  public let attributes: [AttributeDescription]
  /// Its relationships, inherited ones first.
  public let relationships: [RelationshipDescription]
  /// Its to-one relationships, in the order in which a ``RowSnapshot`` holds their destinations.
  public let toOneRelationships: [RelationshipDescription]
  /// Groups of attributes and to-one relationships whose values are unique together.
  public let uniquenessConstraints: [[String]]
  /// The attributes whose stored values make the object's key, in order; empty when the key is in no attribute.
  public let keyAttributes: [String]
  /// Why objects cannot be changed ("Totals is a view"); nil when they can.
  public let readOnlyReason: String?
  /// What a compiled model says beside; as usual for other stores.
  public var details: EntityDetails { boxedDetails.value }

  private let boxedDetails: Boxed<EntityDetails>
  private static let usualDetails = Boxed(EntityDetails())
  private let attributeIndexes: [String: Int]
  private let relationshipIndexes: [String: Int]
  private let toOneIndexes: [String: Int]

  /// Describes an entity.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - superentityName: The entity it inherits from.
  ///   - isAbstract: Whether it has no objects of its own.
  ///   - attributes: All its attributes, inherited ones first. Of two with one name the first counts.
  ///   - relationships: All its relationships, inherited ones first.
  ///   - uniquenessConstraints: Groups of attributes whose values are unique together.
  ///   - keyAttributes: The attributes that make the key.
  ///   - readOnlyReason: Why objects cannot be changed.
  ///   - details: What a compiled model says beside; nil for the usual.
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
    boxedDetails = details.map { Boxed($0) } ?? Self.usualDetails
    attributeIndexes = Self.indexes(attributes.map(\.name))
    relationshipIndexes = Self.indexes(relationships.map(\.name))
    toOneIndexes = Self.indexes(toOneRelationships.map(\.name))
  }

  /// The place of an attribute in ``attributes``; nil when there is none of that name.
  public func attributeIndex(_ name: String) -> Int? { attributeIndexes[name] }

  /// The attribute of a name; nil when there is none.
  public func attribute(named name: String) -> AttributeDescription? {
    attributeIndexes[name].map { attributes[$0] }
  }

  /// The relationship of a name; nil when there is none.
  public func relationship(named name: String) -> RelationshipDescription? {
    relationshipIndexes[name].map { relationships[$0] }
  }

  /// The place of a to-one relationship in ``toOneRelationships``; nil when there is none of that name.
  public func toOneIndex(_ name: String) -> Int? { toOneIndexes[name] }

  private static func indexes(_ names: [String]) -> [String: Int] {
    Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }
}
