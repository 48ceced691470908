/// What a compiled model says of an entity beside its attributes and relationships.
public struct EntityDetails: Hashable, Sendable {
  /// The class of its objects; nil when the model names none.
  public var className: String?
  /// The name by which an earlier version of the model is matched; nil when it is the name itself.
  public var renamingIdentifier: String?
  /// What tells a version of the entity from another of the same shape; nil when nothing.
  public var versionHashModifier: String?
  /// The programmer's own notes.
  public var userInfo: [String: String]
  /// Attributes that live in objects alone and are in no store, inherited ones first.
  public var transientAttributes: [AttributeDescription]
  /// Relationships that live in objects alone and are in no store, inherited ones first.
  public var transientRelationships: [RelationshipDescription]
  /// Attributes made of others.
  ///
  /// Their leaves are attributes of the entity, named by their path (`address.street`).
  public var composites: [CompositeAttributeDescription]
  /// Fetches that hang on objects.
  public var fetchedProperties: [FetchedPropertyDescription]
  /// Indexes, the entity's own.
  public var fetchIndexes: [FetchIndexDescription]
  /// Indexes in the old form: groups of properties.
  public var compoundIndexes: [[String]]

  /// Describes details; what is left out is as usual.
  ///
  /// - Parameters:
  ///   - className: The class of its objects.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - versionHashModifier: What tells a version from another.
  ///   - userInfo: The programmer's notes.
  ///   - transientAttributes: Attributes in no store.
  ///   - transientRelationships: Relationships in no store.
  ///   - composites: Attributes made of others.
  ///   - fetchedProperties: Fetches that hang on objects.
  ///   - fetchIndexes: Indexes.
  ///   - compoundIndexes: Indexes in the old form.
  public init(
    className: String? = nil, renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: String] = [:],
    transientAttributes: [AttributeDescription] = [],
    transientRelationships: [RelationshipDescription] = [],
    composites: [CompositeAttributeDescription] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    fetchIndexes: [FetchIndexDescription] = [], compoundIndexes: [[String]] = []
  ) {
    self.className = className
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.transientAttributes = transientAttributes
    self.transientRelationships = transientRelationships
    self.composites = composites
    self.fetchedProperties = fetchedProperties
    self.fetchIndexes = fetchIndexes
    self.compoundIndexes = compoundIndexes
  }
}
