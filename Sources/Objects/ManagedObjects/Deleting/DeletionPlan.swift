public import ObjectModel

/// What a deletion does according to the delete rules, and the state of the store it was planned
/// on.
///
/// A plan is made once. What is shown of it to a person is what a save with it does: the save
/// deletes and changes exactly these objects, and the store refuses it when ``condition``,
/// ``version(of:)`` or ``expectedDestinations`` no longer hold.
public struct DeletionPlan: Sendable, Equatable {
  /// Objects that the deletion also deletes (cascade) or sets to nil (nullify), by relationship.
  public struct Effect: Sendable, Hashable {
    /// The relationship whose delete rule applies.
    public var relationship: RelationshipName
    /// The objects that the relationship points to.
    public var ids: [ObjectID]
  }

  /// A relationship with the rule deny that prevents a deletion.
  public struct Denial: Sendable, Hashable {
    /// The object that cannot be deleted.
    public var objectID: ObjectID
    /// The relationship whose rule is deny.
    public var relationship: RelationshipName
    /// The destinations that would not be deleted.
    public var destinations: [ObjectID]
    /// The entity of the destinations.
    public var destinationEntityName: String

    /// The number of destinations that would not be deleted.
    public var count: Int { destinations.count }
  }

  /// The fetch that the objects were chosen by, which must still return them when they are deleted;
  /// nil if they were chosen one by one.
  public var condition: FetchPlan?
  /// The objects to delete, each once; those that no longer exist are left out.
  public var direct: [ObjectID] = []
  /// Objects deleted by cascade, by the first relationship that reached them.
  public var cascaded: [Effect] = []
  /// Objects whose to-one relationship is set to nil, or to the default of its foreign key, by that
  /// relationship ("Order.customer").
  public var nullified: [Effect] = []
  /// The relationships that prevent the deletion; none if what they prevent was left out.
  public var denied: [Denial] = []
  /// The objects asked for that were left out, because delete rules deny their deletion or that of
  /// an object that they cascade to.
  public var refused: [ObjectID] = []
  /// The relationships that deny the deletion of ``refused``.
  public var refusals: [Denial] = []
  /// Where the relationships of the deleted objects lead in the store, by source, where their rule
  /// has an effect.
  public var expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]] = [:]
  /// The versions of the rows that will be deleted or changed.
  var versions = IDTable<UInt64>()
  /// The to-many relationships of other objects that the deleted objects are removed from.
  var former: [ObjectID: [RelationshipEnd]] = [:]

  /// Creates an empty plan.
  public init() {}

  /// Every object that would be deleted.
  public var deleted: [ObjectID] {
    cascaded.isEmpty ? direct : direct + cascaded.flatMap(\.ids)
  }

  /// The version of a row that will be deleted or changed, on which the plan was made; nil for an
  /// object that is not in the store, or that the plan does not change.
  public func version(of id: ObjectID) -> UInt64? { versions[id] }
}
