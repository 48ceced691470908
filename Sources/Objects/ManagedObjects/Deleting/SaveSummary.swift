public import ObjectModel

/// What a save would do, to be shown before the save.
public struct SaveSummary: Sendable, Hashable {
  /// Objects of one entity.
  public struct Group: Sendable, Hashable {
    /// The entity.
    public var entityName: String
    /// The objects.
    public var ids: [ObjectID]
    /// The names of up to three of them.
    public var names: [String]
    /// The names of the properties that changed in any of them; empty unless the objects are
    /// changed.
    public var changedKeys: [String]

    /// The number of objects.
    public var count: Int { ids.count }
  }

  /// Objects of one entity that a delete rule affects.
  public struct Effect: Sendable, Hashable {
    /// The entity of the objects.
    public var entityName: String
    /// The relationship: "Person.pets" for a cascade, "Order.customer" for one that is set to nil.
    public var relationship: RelationshipName
    /// The objects.
    public var ids: [ObjectID]

    /// The number of objects.
    public var count: Int { ids.count }
  }

  /// Objects of one entity that one delete rule keeps from being deleted.
  public struct Denial: Sendable, Hashable {
    /// The entity of the objects.
    public var entityName: String
    /// The relationship whose rule is deny.
    public var relationship: RelationshipName
    /// The objects that cannot be deleted.
    public var ids: [ObjectID]
    /// The names of up to three of them.
    public var names: [String]
    /// The destinations that would not be deleted, each once.
    public var destinations: [ObjectID]
    /// The entity of the destinations.
    public var destinationEntityName: String

    /// The number of destinations that would not be deleted.
    public var count: Int { destinations.count }
  }

  /// Objects that are deleted directly.
  public var deleted: [Group] = []
  /// Objects that are deleted by cascade.
  public var cascaded: [Effect] = []
  /// Objects whose to-one relationship is set to nil.
  public var nullified: [Effect] = []
  /// Objects whose foreign key is set to its default.
  public var defaulted: [Effect] = []
  /// Objects that stay and whose to-one relationship without inverse goes on leading to a deleted
  /// object.
  public var dangling: [Effect] = []
  /// Objects that stay, to which a to-many relationship without inverse leads from a deleted object.
  public var left: [Effect] = []
  /// Objects with other changes.
  public var changed: [Group] = []
  /// New objects.
  public var inserted: [Group] = []
  /// Delete rules that make the save fail.
  public var denied: [Denial] = []
  /// Delete rules that keep objects which the deletion leaves out; the save does not fail.
  public var refused: [Denial] = []
  /// What makes the save fail by the rules of the entities, such as a required value that is
  /// missing.
  public var problems: [ManagedObjectError.Problem] = []
  /// The triggers of the store that the save runs and that may change further rows.
  public var triggers: [StoreTrigger] = []
  /// The foreign keys of the tables of these objects that the store cannot enforce, one sentence
  /// each.
  public var unenforcedKeys: [String] = []
  /// The number of links of many-to-many relationships that are inserted or deleted.
  public var linkCount = 0

  /// Creates an empty summary.
  public init() {}

  /// Whether there is nothing to save.
  public var isEmpty: Bool {
    deleted.isEmpty && cascaded.isEmpty && nullified.isEmpty && changed.isEmpty
      && defaulted.isEmpty && inserted.isEmpty && denied.isEmpty && linkCount == 0
  }

  /// The number of objects that would be deleted.
  public var deletedCount: Int {
    deleted.reduce(0) { $0 + $1.count } + cascaded.reduce(0) { $0 + $1.count }
  }
}
