/// What a compiled model says of a relationship beside where it leads.
public struct RelationshipDetails: Hashable, Sendable {
  /// What it says of any property.
  public var property: PropertyDetails
  /// The least number of objects; 0 when it does not matter.
  public var minCount: Int
  /// The greatest number of objects; 1 for a to-one, 0 when it does not matter.
  public var maxCount: Int

  /// Describes details.
  ///
  /// - Parameters:
  ///   - property: What is said of any property.
  ///   - minCount: The least number of objects.
  ///   - maxCount: The greatest number of objects.
  public init(
    property: PropertyDetails = PropertyDetails(), minCount: Int = 0, maxCount: Int = 0
  ) {
    self.property = property
    self.minCount = minCount
    self.maxCount = maxCount
  }
}
