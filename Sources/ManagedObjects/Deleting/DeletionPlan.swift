public import ObjectModel

/// What deleting some objects does, and what of the store it was planned on.
///
/// A plan is made once. What is shown of it to a person is what a save with it does: the save
/// deletes and changes exactly these objects, and the store refuses it when ``versions`` or
/// ``expectedDestinations`` no longer hold.
public struct DeletionPlan: Sendable, Hashable {
  /// Objects that a relationship leads to.
  public struct Effect: Sendable, Hashable {
    /// The relationship.
    public var relationship: RelationshipName
    /// The objects.
    public var ids: [ObjectID]

    /// Describes an effect.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - ids: The objects.
    public init(relationship: RelationshipName, ids: [ObjectID]) {
      self.relationship = relationship
      self.ids = ids
    }
  }

  /// A delete rule that refuses.
  public struct Denial: Sendable, Hashable {
    /// The object that cannot be deleted.
    public var objectID: ObjectID
    /// The relationship whose rule is deny.
    public var relationship: RelationshipName
    /// The number of objects that it leads to and that would stay.
    public var count: Int
    /// The entity of those objects.
    public var destinationEntityName: String

    /// Describes a denial.
    ///
    /// - Parameters:
    ///   - objectID: The object that cannot be deleted.
    ///   - relationship: The relationship whose rule is deny.
    ///   - count: The number of objects that it leads to and that would stay.
    ///   - destinationEntityName: The entity of those objects.
    public init(
      objectID: ObjectID, relationship: RelationshipName, count: Int, destinationEntityName: String
    ) {
      self.objectID = objectID
      self.relationship = relationship
      self.count = count
      self.destinationEntityName = destinationEntityName
    }
  }

  /// The objects to delete, each once; those that no longer exist are left out.
  public var direct: [ObjectID] = []
  /// Objects deleted with them, by the relationship that first led there.
  public var cascaded: [Effect] = []
  /// Objects that stay and lose a to-one relationship, by that relationship ("Order.customer").
  public var nullified: [Effect] = []
  /// Rules that refuse the deletion.
  public var denied: [Denial] = []
  /// The versions of the rows that will be deleted or changed; objects that are not in the store
  /// have none.
  public var versions: [ObjectID: UInt64] = [:]
  /// Where the relationships of the deleted objects lead in the store, by source, where their rule
  /// has an effect.
  public var expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]] = [:]

  /// Makes an empty plan.
  public init() {}

  /// Every object that would be deleted.
  public var deleted: [ObjectID] { direct + cascaded.flatMap(\.ids) }
}
