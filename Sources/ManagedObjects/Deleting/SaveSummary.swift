public import ObjectModel

/// What a save would do, as a person is shown it before.
public struct SaveSummary: Sendable, Hashable {
  /// Objects of one entity.
  public struct Group: Sendable, Hashable {
    /// The entity.
    public var entityName: String
    /// The objects.
    public var ids: [ObjectID]
    /// What up to three of them are called.
    public var names: [String]
    /// The names of what changed in any of them; empty but for changed objects.
    public var changedKeys: [String]

    /// How many there are.
    public var count: Int { ids.count }

    /// Describes a group.
    ///
    /// - Parameters:
    ///   - entityName: The entity.
    ///   - ids: The objects.
    ///   - names: What up to three of them are called.
    ///   - changedKeys: The names of what changed.
    public init(entityName: String, ids: [ObjectID], names: [String], changedKeys: [String] = []) {
      self.entityName = entityName
      self.ids = ids
      self.names = names
      self.changedKeys = changedKeys
    }
  }

  /// Objects of one entity that a relationship of others reaches.
  public struct Effect: Sendable, Hashable {
    /// The entity of the objects.
    public var entityName: String
    /// The relationship: "Person.pets" of a cascade, "Order.customer" of a nullified one.
    public var relationship: RelationshipName
    /// The objects.
    public var ids: [ObjectID]

    /// How many there are.
    public var count: Int { ids.count }

    /// Describes an effect.
    ///
    /// - Parameters:
    ///   - entityName: The entity of the objects.
    ///   - relationship: The relationship.
    ///   - ids: The objects.
    public init(entityName: String, relationship: RelationshipName, ids: [ObjectID]) {
      self.entityName = entityName
      self.relationship = relationship
      self.ids = ids
    }
  }

  /// A delete rule that refuses the save.
  public struct Denial: Sendable, Hashable {
    /// What the object that cannot be deleted is called.
    public var name: String
    /// The rule.
    public var rule: DeletionPlan.Denial

    /// Describes a denial.
    ///
    /// - Parameters:
    ///   - name: What the object is called.
    ///   - rule: The rule.
    public init(name: String, rule: DeletionPlan.Denial) {
      self.name = name
      self.rule = rule
    }
  }

  /// Objects that were deleted themselves.
  public var deleted: [Group] = []
  /// Objects that go with them.
  public var cascaded: [Effect] = []
  /// Objects that are kept and lose a to-one relationship.
  public var nullified: [Effect] = []
  /// Objects with other changes.
  public var changed: [Group] = []
  /// New objects.
  public var inserted: [Group] = []
  /// Rules that refuse the save.
  public var denied: [Denial] = []
  /// How many links of many-to-many relationships are put in or taken out.
  public var linkCount = 0

  /// Makes an empty summary.
  public init() {}

  /// Whether there is nothing to save.
  public var isEmpty: Bool {
    deleted.isEmpty && cascaded.isEmpty && nullified.isEmpty && changed.isEmpty
      && inserted.isEmpty && denied.isEmpty && linkCount == 0
  }

  /// How many objects would be gone.
  public var deletedCount: Int {
    deleted.reduce(0) { $0 + $1.count } + cascaded.reduce(0) { $0 + $1.count }
  }
}
