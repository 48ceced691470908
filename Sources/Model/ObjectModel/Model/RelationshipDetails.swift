/// What only a Core Data model specifies for a relationship.
public struct RelationshipDetails: Hashable, Sendable {
  /// What it specifies for every kind of property.
  public var property: PropertyDetails
  /// The minimum number of objects; 0 for no minimum.
  public var minCount: Int
  /// The maximum number of objects; 1 for a to-one relationship, 0 for no maximum.
  public var maxCount: Int

  /// Creates details.
  public init(
    property: PropertyDetails = PropertyDetails(), minCount: Int = 0, maxCount: Int = 0
  ) {
    self.property = property
    self.minCount = minCount
    self.maxCount = maxCount
  }
}
