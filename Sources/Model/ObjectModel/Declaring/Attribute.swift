/// An attribute of an ``Entity``.
public struct Attribute: EntityMember {
  private let description: AttributeDescription
  private let isUnique: Bool
  private let isIndexed: Bool
  private let isTransient: Bool
  private let key: DeclaredKey?

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The type of its values.
  ///   - isOptional: Whether the value may be null; that of a derived attribute always may.
  ///   - defaultValue: The default value of a new object.
  ///   - encoding: How values are stored; nil for the default encoding of the type.
  ///   - isUnique: Whether no two objects have the same value.
  ///   - isIndexed: Whether the store has an index of it.
  ///   - isTransient: Whether it is not stored: it is kept with the object until that is turned into
  ///     a fault.
  ///   - derivation: The expression of a derived attribute, such as `dvds.@count` or `owner.name`,
  ///     which the store computes; nil for an ordinary one.
  ///   - valueTransformerName: The name under which ``AttributeCodecs`` has the codec of a
  ///     transformable attribute; nil for none.
  ///   - validations: The rules that a value must meet, such as `SELF >= 1` and `length <= 50`.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true,
    default defaultValue: Value = .null, encoding: ValueEncoding? = nil, isUnique: Bool = false,
    isIndexed: Bool = false, isTransient: Bool = false, derivation: String? = nil,
    valueTransformerName: String? = nil, validations: [ValidationRule] = [],
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      name, type, isOptional: isOptional, default: defaultValue, encoding: encoding,
      isUnique: isUnique, isIndexed: isIndexed, isTransient: isTransient, derivation: derivation,
      valueTransformerName: valueTransformerName, validations: validations,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo, key: nil)
  }

  /// Creates an attribute that a typed key declares.
  package init(
    _ name: String, _ type: AttributeType, isOptional: Bool, default defaultValue: Value,
    encoding: ValueEncoding?, isUnique: Bool, isIndexed: Bool, isTransient: Bool,
    derivation: String?, valueTransformerName: String?, validations: [ValidationRule] = [],
    renamingIdentifier: String?, userInfo: [String: String], key: DeclaredKey?
  ) {
    let property = PropertyDetails(
      renamingIdentifier: renamingIdentifier, userInfo: userInfo, validations: validations)
    description = AttributeDescription(
      name, type, encoding: encoding, isOptional: isOptional || derivation != nil,
      defaultValue: defaultValue,
      details: AttributeDetails(
        property: property, valueTransformerName: valueTransformerName,
        derivation: derivation.map { AttributeDetails.Derivation($0) }))
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.isTransient = isTransient
    self.key = key
  }

  /// Adds the attribute to an entity.
  public func add(to entity: inout Entity) {
    if let key { entity.keys.append(key) }
    if isTransient {
      entity.details.transientAttributes.append(description)
    } else {
      entity.attributes.append(description)
    }
    if isUnique { entity.uniquenessConstraints.append([description.name]) }
    if isIndexed { FetchIndex(description.name).add(to: &entity) }
  }
}
