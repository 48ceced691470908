package import ObjectModel

/// What a deletion does according to the delete rules, and the state of the store it was planned
/// on.
///
/// A plan is made once. What is shown of it to a person is what a save with it does: the save
/// deletes and changes exactly these objects, and the store refuses it when ``condition``,
/// ``version(of:)`` or ``expectedDestinations`` no longer hold.
package struct DeletionPlan: Equatable {
  /// Objects that the deletion also deletes (cascade) or sets to nil (nullify), by relationship.
  package struct Effect: Sendable, Hashable {
    /// The relationship whose delete rule applies.
    package var relationship: RelationshipName
    /// The objects that the relationship points to.
    package var ids: [ObjectID]
  }

  /// A relationship with the rule deny that prevents a deletion.
  package struct Denial: Sendable, Hashable {
    /// The object that cannot be deleted.
    package var objectID: ObjectID
    /// The relationship whose rule is deny.
    package var relationship: RelationshipName
    /// The destinations that would not be deleted.
    package var destinations: [ObjectID]
    /// The entity of the destinations.
    package var destinationEntityName: String

    /// The number of destinations that would not be deleted.
    package var count: Int { destinations.count }
  }

  /// The fetch that the objects were chosen by, which must still return them when they are deleted;
  /// nil if they were chosen one by one.
  package var condition: FetchPlan? { didSet { applied = AppliedDeletion() } }
  /// The objects to delete, each once; those that no longer exist are left out.
  package var direct: [ObjectID] = []
  /// Objects deleted by cascade, by the first relationship that reached them.
  package var cascaded: [Effect] = []
  /// Objects whose to-one relationship is set to nil, or to the default of its foreign key, by that
  /// relationship ("Order.customer").
  package var nullified: [Effect] = []
  /// The relationships that prevent the deletion; none if what they prevent was left out.
  package var denied: [Denial] = []
  /// The objects asked for that were left out, because delete rules deny their deletion or that of
  /// an object that they cascade to.
  package var refused: [ObjectID] = []
  /// The relationships that deny the deletion of ``refused``.
  package var refusals: [Denial] = []
  /// Where the relationships of the deleted objects lead in the store, by source, where their rule
  /// has an effect.
  package var expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]] = [:]
  /// The versions of the rows that will be deleted or changed.
  var versions = IDTable<UInt64>()
  /// The to-many relationships of other objects that the deleted objects are removed from.
  var former: [ObjectID: [RelationshipEnd]] = [:]
  /// What the plan made of its context when a summary carried it out.
  private(set) var applied = AppliedDeletion()

  /// Creates an empty plan.
  package init() {}

  /// Every object that would be deleted.
  package var deleted: [ObjectID] {
    cascaded.isEmpty ? direct : direct + cascaded.flatMap(\.ids)
  }

  /// The version of a row that will be deleted or changed, on which the plan was made; nil for an
  /// object that is not in the store, or that the plan does not change.
  package func version(of id: ObjectID) -> UInt64? { versions[id] }
}
