/// Describes a relationship from an entity to another.
public struct RelationshipDescription: Hashable, Sendable {
  /// The relationship's name.
  public var name: String
  /// The name of the entity at the other end.
  public var destinationEntityName: String
  /// The name of the relationship back; nil when there is none.
  public var inverseName: String?
  /// Whether it leads to many objects.
  public var isToMany: Bool
  /// Whether the objects of a to-many have an order of their own.
  public var isOrdered: Bool
  /// Whether a to-one may be nil or a to-many empty.
  public var isOptional: Bool
  /// What happens to the destination when the source is deleted.
  public var deleteRule: DeleteRule
  /// The attributes that hold a to-one's key, in the order of the destination's key; empty when the key is in no attribute.
  ///
  /// In a database we did not make, a foreign key is an attribute too: setting one of the two sets the other.
  public var foreignKeyAttributes: [String]
  /// What a compiled model says beside; as usual for other stores.
  public var details: RelationshipDetails {
    get { boxedDetails.value }
    set { boxedDetails.value = newValue }
  }

  private var boxedDetails: Boxed<RelationshipDetails>
  private static let usualDetails = Boxed(RelationshipDetails())

  /// Describes a relationship.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destinationEntityName: The entity at the other end.
  ///   - inverseName: The relationship back.
  ///   - isToMany: Whether it leads to many objects.
  ///   - isOrdered: Whether they have an order of their own.
  ///   - isOptional: Whether it may be nil or empty.
  ///   - deleteRule: What happens to the destination when the source is deleted.
  ///   - foreignKeyAttributes: The attributes that hold a to-one's key.
  ///   - details: What a compiled model says beside; nil for the usual.
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
    boxedDetails = details.map { Boxed($0) } ?? Self.usualDetails
  }
}

/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing, whatever is left behind.
  case noAction
  /// Their relationship back is set to nil.
  case nullify
  /// They are deleted too.
  case cascade
  /// The deletion is refused while there are any.
  case deny
}
