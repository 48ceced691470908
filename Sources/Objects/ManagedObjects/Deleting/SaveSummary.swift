package import ObjectModel

/// What a save would do, to be shown before the save.
package struct SaveSummary: Sendable, Hashable {
  /// Objects of one entity.
  package struct Group: Sendable, Hashable {
    /// The entity.
    package var entityName: String
    /// The objects.
    package var ids: [ObjectID]
    /// The names of up to three of them.
    package var names: [String]
    /// The names of the properties that changed in any of them; empty unless the objects are
    /// changed.
    package var changedKeys: [String]

    /// The number of objects.
    package var count: Int { ids.count }
  }

  /// Objects of one entity that a delete rule affects.
  package struct Effect: Sendable, Hashable {
    /// The entity of the objects.
    package var entityName: String
    /// The relationship: "Person.pets" for a cascade, "Order.customer" for one that is set to nil.
    package var relationship: RelationshipName
    /// The objects.
    package var ids: [ObjectID]

    /// The number of objects.
    package var count: Int { ids.count }
  }

  /// Objects of one entity that one delete rule keeps from being deleted.
  package struct Denial: Sendable, Hashable {
    /// The entity of the objects.
    package var entityName: String
    /// The relationship whose rule is deny.
    package var relationship: RelationshipName
    /// The objects that cannot be deleted.
    package var ids: [ObjectID]
    /// The names of up to three of them.
    package var names: [String]
    /// The destinations that would not be deleted, each once.
    package var destinations: [ObjectID]
    /// The entity of the destinations.
    package var destinationEntityName: String

    /// The number of destinations that would not be deleted.
    package var count: Int { destinations.count }
  }

  /// Objects that are deleted directly.
  package var deleted: [Group] = []
  /// Objects that are deleted by cascade.
  package var cascaded: [Effect] = []
  /// Objects whose to-one relationship is set to nil.
  package var nullified: [Effect] = []
  /// Objects whose foreign key is set to its default.
  package var defaulted: [Effect] = []
  /// Objects that stay and whose to-one relationship without inverse goes on leading to a deleted
  /// object.
  package var dangling: [Effect] = []
  /// Objects that stay, to which a to-many relationship without inverse leads from a deleted object.
  package var left: [Effect] = []
  /// Objects with other changes.
  package var changed: [Group] = []
  /// New objects.
  package var inserted: [Group] = []
  /// Delete rules that make the save fail.
  package var denied: [Denial] = []
  /// Delete rules that keep objects which the deletion leaves out; the save does not fail.
  package var refused: [Denial] = []
  /// What makes the save fail by the rules of the entities, such as a required value that is
  /// missing.
  package var problems: [ManagedObjectError.Problem] = []
  /// The triggers of the store that the save runs and that may change further rows.
  package var triggers: [StoreTrigger] = []
  /// The foreign keys of the tables of these objects that the store cannot enforce, one sentence
  /// each.
  package var unenforcedKeys: [String] = []
  /// The number of links of many-to-many relationships that are inserted or deleted.
  package var linkCount = 0

  /// Creates an empty summary.
  package init() {}

  /// Whether there is nothing to save.
  package var isEmpty: Bool {
    deleted.isEmpty && cascaded.isEmpty && nullified.isEmpty && changed.isEmpty
      && defaulted.isEmpty && inserted.isEmpty && denied.isEmpty && linkCount == 0
  }

  /// The number of objects that would be deleted.
  package var deletedCount: Int {
    deleted.reduce(0) { $0 + $1.count } + cascaded.reduce(0) { $0 + $1.count }
  }
}
