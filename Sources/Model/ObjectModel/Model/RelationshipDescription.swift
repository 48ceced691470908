/// Describes a relationship of an entity.
public struct RelationshipDescription: Hashable, Sendable {
  /// The relationship's name.
  public var name: String
  /// The name of the destination entity.
  public var destinationEntityName: String
  /// The name of the inverse relationship; nil if there is none.
  public var inverseName: String?
  /// Whether it is a to-many relationship.
  public var isToMany: Bool
  /// Whether a to-many relationship is ordered.
  public var isOrdered: Bool
  /// Whether a to-one relationship may be nil or a to-many relationship empty.
  public var isOptional: Bool
  /// What happens to the destination when the source object is deleted.
  public var deleteRule: DeleteRule
  /// The attributes that contain the foreign key of a to-one relationship, in the order of the
  /// destination's primary key.
  ///
  /// Empty if no attribute contains it, as in Core Data stores. In a plain database a foreign key
  /// column is an attribute too: setting the attribute or the relationship sets the other.
  public var foreignKeyAttributes: [String]
  /// What only Core Data models have; default values for plain databases.
  public var details: RelationshipDetails {
    get { boxedDetails.value }
    set { boxedDetails.value = newValue }
  }

  private var boxedDetails: Boxed<RelationshipDetails>
  private static let defaultDetails = Boxed(RelationshipDetails())

  /// Creates a relationship description.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destinationEntityName: The name of the destination entity.
  ///   - inverseName: The name of the inverse relationship; nil for none.
  ///   - isToMany: Whether it is a to-many relationship.
  ///   - isOrdered: Whether a to-many relationship is ordered.
  ///   - isOptional: Whether it may be nil or empty.
  ///   - deleteRule: What happens to the destination when the source object is deleted.
  ///   - foreignKeyAttributes: The attributes that contain the foreign key of a to-one
  ///     relationship.
  ///   - details: What only Core Data models have; nil for default values.
  public init(
    _ name: String, to destinationEntityName: String, inverse inverseName: String? = nil,
    isToMany: Bool = false, isOrdered: Bool = false, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, foreignKeyAttributes: [String] = [],
    details: RelationshipDetails? = nil
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.deleteRule = deleteRule
    self.foreignKeyAttributes = foreignKeyAttributes
    boxedDetails = details.map { Boxed($0) } ?? Self.defaultDetails
  }
}

/// What happens to the destination objects of a relationship when the source object is deleted.
public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing; their inverse still refers to the deleted object.
  case noAction
  /// Their inverse is set to nil.
  case nullify
  /// Their foreign key is set to the default of its columns, as ON DELETE SET DEFAULT does; Core Data
  /// has no such rule.
  case setDefault
  /// They are deleted as well.
  case cascade
  /// The deletion is refused if there are any.
  case deny
}

/// What only a Core Data model specifies for a relationship.
public struct RelationshipDetails: Hashable, Sendable {
  /// What it specifies for every kind of property.
  public var property: PropertyDetails
  /// The minimum number of objects; 0 for no minimum.
  public var minCount: Int
  /// The maximum number of objects; 1 for a to-one relationship, 0 for no maximum.
  public var maxCount: Int

  /// Creates details.
  public init(
    property: PropertyDetails = PropertyDetails(), minCount: Int = 0, maxCount: Int = 0
  ) {
    self.property = property
    self.minCount = minCount
    self.maxCount = maxCount
  }
}

extension RelationshipDescription {
  /// What a foreign key that leads nowhere refers to: an ID of its values, which no object has.
  ///
  /// The ID of a missing object is known by itself where the foreign key refers to the object's key.
  ///
  /// - Parameters:
  ///   - entity: The entity that has the relationship.
  ///   - storeIdentifier: The identifier of the store.
  ///   - value: The stored value of the attribute at an index.
  /// - Returns: Nil if a part of the foreign key is NULL, or there are no attributes for it.
  package func danglingID(
    from entity: EntityDescription, storeIdentifier: String, value: (Int) -> Value
  ) -> ObjectID? {
    let values = foreignKeyAttributes.compactMap(entity.attributeIndex).map(value)
    guard !values.isEmpty, values.count == foreignKeyAttributes.count,
      !values.contains(where: \.isNull)
    else { return nil }
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: destinationEntityName, key: .composite(values))
  }
}
