public import ObjectModel

extension Attribute {
  /// Creates the attribute of a typed key, which says the name and the type, and whether the value
  /// may be null.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - defaultValue: The default value of a new object; nil for none.
  ///   - encoding: How values are stored; nil for the default encoding of the type.
  ///   - isUnique: Whether no two objects have the same value.
  ///   - isIndexed: Whether the store has an index of it.
  ///   - isTransient: Whether it is not stored: it is kept with the object until that is turned into
  ///     a fault.
  ///   - derivation: The expression of a derived attribute, such as `dvds.@count` or `owner.name`,
  ///     which the store computes; nil for an ordinary one.
  ///   - validations: The rules that a value must meet, such as `SELF >= 1` and `length <= 50`.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init<Object, Content>(
    _ key: AttributeKey<Object, Content>, default defaultValue: Content? = nil,
    encoding: ValueEncoding? = nil, isUnique: Bool = false, isIndexed: Bool = false,
    isTransient: Bool = false, derivation: String? = nil, validations: [ValidationRule] = [],
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      key.declaredName, Content.attributeType, isOptional: Content.acceptsNull,
      default: defaultValue?.attributeValue ?? .null, encoding: encoding, isUnique: isUnique,
      isIndexed: isIndexed, isTransient: isTransient, derivation: derivation,
      valueTransformerName: nil, validations: validations, renamingIdentifier: renamingIdentifier,
      userInfo: userInfo,
      key: key.declaration)
  }
}

extension Unique {
  /// Creates a uniqueness constraint.
  ///
  /// - Parameters:
  ///   - key: The key of an attribute or a to-one relationship.
  ///   - others: Further keys; the combined values are unique.
  public init(_ key: any DeclarableKey, _ others: any DeclarableKey...) {
    self.init(names: [key.declaredName] + others.map(\.declaredName))
  }
}

extension FetchIndex {
  /// Creates an index, whose name follows from the properties: `byNameAndCity`.
  ///
  /// - Parameters:
  ///   - key: The key of an attribute or a to-one relationship, the most significant one.
  ///   - others: Further keys.
  public init(_ key: any DeclarableKey, _ others: any DeclarableKey...) {
    self.init(names: [key.declaredName] + others.map(\.declaredName))
  }
}
