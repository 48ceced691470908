public import ObjectModel

/// What deleting some objects would do, by ID.
public struct DeletionPlan: Sendable, Hashable {
  /// Objects that a relationship leads to.
  public struct Effect: Sendable, Hashable {
    /// The relationship, as "Person.pets".
    public var relationship: String
    /// The objects.
    public var ids: [ObjectID]

    /// Describes an effect.
    ///
    /// - Parameters:
    ///   - relationship: The relationship, as "Person.pets".
    ///   - ids: The objects.
    public init(relationship: String, ids: [ObjectID]) {
      self.relationship = relationship
      self.ids = ids
    }
  }

  /// A delete rule that refuses.
  public struct Denial: Sendable, Hashable {
    /// The object that cannot be deleted.
    public var objectID: ObjectID
    /// The relationship that denies it, as "Person.invoices".
    public var relationship: String
    /// How many objects it leads to that would stay.
    public var count: Int
    /// The entity of those objects.
    public var destinationEntityName: String

    /// Describes a denial.
    ///
    /// - Parameters:
    ///   - objectID: The object that cannot be deleted.
    ///   - relationship: The relationship that denies it.
    ///   - count: How many objects it leads to that would stay.
    ///   - destinationEntityName: The entity of those objects.
    public init(
      objectID: ObjectID, relationship: String, count: Int, destinationEntityName: String
    ) {
      self.objectID = objectID
      self.relationship = relationship
      self.count = count
      self.destinationEntityName = destinationEntityName
    }
  }

  /// The objects asked for, each once; those that are gone or deleted already are left out.
  public var direct: [ObjectID] = []
  /// Objects deleted with them, by the relationship that first led there.
  public var cascaded: [Effect] = []
  /// Objects that stay and lose a to-one relationship, by that relationship ("Order.customer").
  public var nullified: [Effect] = []
  /// Rules that refuse the deletion.
  public var denied: [Denial] = []

  /// Makes an empty plan.
  public init() {}

  /// Every object that would be deleted.
  public var deleted: [ObjectID] { direct + cascaded.flatMap(\.ids) }
}
