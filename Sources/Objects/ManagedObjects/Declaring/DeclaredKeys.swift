public import ObjectModel

/// A typed key of a property: ``AttributeKey`` or ``RelationshipKey``.
///
/// As a member of an entity it declares the property with the default options.
public protocol DeclarableKey: EntityMember {
  /// The key path as text: the property's name.
  var keyPath: String { get }
}

extension DeclarableKey {
  /// The name of the property in the model; a key path, which is an error later, if the key leads
  /// through relationships.
  var declaredName: String {
    let names = KeyPathText.components(of: keyPath) ?? []
    return names.count == 1 ? names[0] : keyPath
  }
}

extension AttributeKey: DeclarableKey {
  /// Adds the attribute with the default options to an entity.
  public func add(to entity: inout Entity) { ObjectModel.Attribute(self).add(to: &entity) }

  var declaration: DeclaredKey {
    DeclaredKey(
      keyPath: keyPath, isPath: path.count > 1, owner: ObjectIdentifier(Object.self),
      ownerName: "\(Object.self)")
  }
}

extension RelationshipKey: DeclarableKey {
  /// Adds the relationship with the default options to an entity.
  public func add(to entity: inout Entity) {
    if Destinations.self is any ToManyValue.Type {
      toMany().add(to: &entity)
    } else {
      toOne().add(to: &entity)
    }
  }

  private var declaration: DeclaredKey {
    let destination = Destinations.Destination.self
    return DeclaredKey(
      keyPath: keyPath, isPath: path.count > 1, owner: ObjectIdentifier(Object.self),
      ownerName: "\(Object.self)",
      destination: DeclaredKey.Destination(
        className: "\(destination)", isEntityClass: destination is any EntityClass.Type))
  }

  /// The entity of the destinations; the class's name if it has none, which is an error later.
  private var destinationName: String {
    let destination = Destinations.Destination.self
    return (destination as? any EntityClass.Type)?.entityName ?? "\(destination)"
  }

  func toOne(
    inverse: String? = nil, isOptional: Bool = true, deleteRule: DeleteRule = .nullify,
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) -> ToOne {
    ToOne(
      declaredName, destinationName, inverse: inverse, isOptional: isOptional,
      deleteRule: deleteRule, renamingIdentifier: renamingIdentifier, userInfo: userInfo,
      key: declaration)
  }

  func toMany(
    inverse: String? = nil, deleteRule: DeleteRule = .nullify, minCount: Int = 0,
    maxCount: Int = 0, renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) -> ToMany {
    ToMany(
      declaredName, destinationName, inverse: inverse,
      isOrdered: (Destinations.self as? any ToManyValue.Type)?.isOrdered == true,
      isOptional: minCount == 0, deleteRule: deleteRule, minCount: minCount, maxCount: maxCount,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo, key: declaration)
  }
}
