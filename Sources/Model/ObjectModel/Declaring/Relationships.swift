/// A to-one relationship of an ``Entity``.
public struct ToOne: EntityMember {
  private let description: RelationshipDescription
  private let key: DeclaredKey?

  /// Creates a to-one relationship.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The name of the destination entity.
  ///   - inverse: The name of the inverse relationship; nil for none.
  ///   - isOptional: Whether it may be nil.
  ///   - deleteRule: What happens to the destination when the source object is deleted.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.init(
      name, destination, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo, key: nil)
  }

  /// Creates a to-one relationship that a typed key declares.
  package init(
    _ name: String, _ destination: String, inverse: String?, isOptional: Bool,
    deleteRule: DeleteRule, renamingIdentifier: String?, userInfo: [String: String],
    key: DeclaredKey?
  ) {
    description = RelationshipDescription(
      name, to: destination, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule,
      details: RelationshipDetails(
        property: PropertyDetails(renamingIdentifier: renamingIdentifier, userInfo: userInfo)))
    self.key = key
  }

  /// Adds the relationship to an entity.
  public func add(to entity: inout Entity) {
    if let key { entity.keys.append(key) }
    entity.relationships.append(description)
  }
}

/// A to-many relationship of an ``Entity``.
public struct ToMany: EntityMember {
  private let description: RelationshipDescription
  private let key: DeclaredKey?

  /// Creates a to-many relationship.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The name of the destination entity.
  ///   - inverse: The name of the inverse relationship; nil for none. If it is a to-many, the
  ///     relationship is many-to-many.
  ///   - isOrdered: Whether the relationship is ordered.
  ///   - isOptional: Whether it may be empty.
  ///   - deleteRule: What happens to the destinations when the source object is deleted.
  ///   - minCount: The least number of objects; 0 for none, but 1 if it may not be empty.
  ///   - maxCount: The greatest number of objects; 0 for none.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init(
    _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false,
    isOptional: Bool = true, deleteRule: DeleteRule = .nullify, minCount: Int = 0,
    maxCount: Int = 0, renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      name, destination, inverse: inverse, isOrdered: isOrdered,
      isOptional: isOptional, deleteRule: deleteRule,
      minCount: isOptional ? minCount : max(minCount, 1), maxCount: maxCount,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo, key: nil)
  }

  /// Creates a to-many relationship that a typed key declares.
  package init(
    _ name: String, _ destination: String, inverse: String?, isOrdered: Bool, isOptional: Bool,
    deleteRule: DeleteRule, minCount: Int, maxCount: Int, renamingIdentifier: String?,
    userInfo: [String: String], key: DeclaredKey?
  ) {
    description = RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
      isOptional: isOptional, deleteRule: deleteRule,
      details: RelationshipDetails(
        property: PropertyDetails(renamingIdentifier: renamingIdentifier, userInfo: userInfo),
        minCount: minCount, maxCount: maxCount))
    self.key = key
  }

  /// Adds the relationship to an entity.
  public func add(to entity: inout Entity) {
    if let key { entity.keys.append(key) }
    entity.relationships.append(description)
  }
}
