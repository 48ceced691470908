/// What few entities have: what only a Core Data model specifies, and what is wrong with a table.
public struct EntityDetails: Hashable, Sendable {
  /// The class name of its objects; nil if the model has none.
  package var className: String?
  /// The renaming identifier: the name in an earlier model version; nil if it is the same.
  public var renamingIdentifier: String?
  /// The version hash modifier, which distinguishes versions of the same structure; nil for none.
  public var versionHashModifier: String?
  /// The user info dictionary.
  public var userInfo: [String: String]
  /// Transient attributes, which are not stored, inherited ones first.
  package var transientAttributes: [AttributeDescription]
  /// Transient relationships, which are not stored, inherited ones first.
  package var transientRelationships: [RelationshipDescription]
  /// Composite attributes.
  ///
  /// Their leaves are attributes of the entity, named by their key path (`address.street`).
  package var composites: [CompositeAttributeDescription]
  /// Fetched properties.
  package var fetchedProperties: [FetchedPropertyDescription]
  /// Fetch indexes, without inherited ones.
  package var fetchIndexes: [FetchIndexDescription]
  /// Compound indexes of old models: the property names of each.
  package var compoundIndexes: [[String]]
  /// The foreign keys of its table, and those that refer to it, that no database can enforce, one
  /// sentence each.
  package var unenforcedKeys: [String]
  /// The columns of its table that cannot be read, and are no attributes, one sentence each.
  package var unreadableColumns: [String]
  /// Whether its objects are a service's own, unlike those of a view: they can be copied to another
  /// store though the service only shows them.
  package var isServed = false

  /// Creates details; omitted arguments have the default value of a Core Data model.
  package init(
    className: String? = nil, renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: String] = [:],
    transientAttributes: [AttributeDescription] = [],
    transientRelationships: [RelationshipDescription] = [],
    composites: [CompositeAttributeDescription] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    fetchIndexes: [FetchIndexDescription] = [], compoundIndexes: [[String]] = [],
    unenforcedKeys: [String] = [], unreadableColumns: [String] = []
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
    self.unenforcedKeys = unenforcedKeys
    self.unreadableColumns = unreadableColumns
  }
}
