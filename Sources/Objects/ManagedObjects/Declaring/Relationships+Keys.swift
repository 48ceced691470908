public import ObjectModel

// The compiler checks that an inverse leads back to the class. A relationship that names none has
// the one that names it, so one side is enough.

extension ToOne {
  /// Creates the to-one relationship of a typed key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isOptional: Whether it may be nil when it is saved.
  ///   - deleteRule: What happens to the destination when the source object is deleted.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init<Object, Destinations: ToOneValue>(
    _ key: RelationshipKey<Object, Destinations>, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self = key.toOne(
      isOptional: isOptional, deleteRule: deleteRule, renamingIdentifier: renamingIdentifier,
      userInfo: userInfo)
  }

  /// Creates the to-one relationship of a typed key, with an inverse.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - inverse: The key of the inverse relationship.
  ///   - isOptional: Whether it may be nil when it is saved.
  ///   - deleteRule: What happens to the destination when the source object is deleted.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init<Object, Destinations: ToOneValue, Sources: RelationshipValue>(
    _ key: RelationshipKey<Object, Destinations>,
    inverse: RelationshipKey<Destinations.Destination, Sources>, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) where Sources.Destination == Object {
    self = key.toOne(
      inverse: inverse.declaredName, isOptional: isOptional, deleteRule: deleteRule,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo)
  }
}

extension ToMany {
  /// Creates the to-many relationship of a typed key; it is ordered if the key's type is an array.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - deleteRule: What happens to the destinations when the source object is deleted.
  ///   - minCount: The least number of objects; 0 for none.
  ///   - maxCount: The greatest number of objects; 0 for none.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init<Object, Destinations: ToManyValue>(
    _ key: RelationshipKey<Object, Destinations>, deleteRule: DeleteRule = .nullify,
    minCount: Int = 0, maxCount: Int = 0, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self = key.toMany(
      deleteRule: deleteRule, minCount: minCount, maxCount: maxCount,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo)
  }

  /// Creates the to-many relationship of a typed key, with an inverse.
  ///
  /// - Parameters:
  ///   - key: The key; the relationship is ordered if its type is an array.
  ///   - inverse: The key of the inverse relationship.
  ///   - deleteRule: What happens to the destinations when the source object is deleted.
  ///   - minCount: The least number of objects; 0 for none.
  ///   - maxCount: The greatest number of objects; 0 for none.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init<Object, Destinations: ToManyValue, Sources: RelationshipValue>(
    _ key: RelationshipKey<Object, Destinations>,
    inverse: RelationshipKey<Destinations.Destination, Sources>,
    deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) where Sources.Destination == Object {
    self = key.toMany(
      inverse: inverse.declaredName, deleteRule: deleteRule, minCount: minCount, maxCount: maxCount,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo)
  }
}
