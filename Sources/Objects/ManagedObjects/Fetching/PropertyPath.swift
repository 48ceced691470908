package import ObjectModel

/// The way to a value that is fetched: the names of to-one relationships, and of the property at
/// its end.
package struct PropertyPath {
  /// The key of an object's own ID, where the entity has no property of that name.
  package static let objectID = "objectID"

  let names: [String]
  /// Whether the path leads to an object, whose value is its URI: by a to-one relationship last, or
  /// by none to the object itself.
  package let isRelationship: Bool
}

extension ManagedObjectContext {
  /// The path of a key path, which must lead through to-one relationships to an attribute or a
  /// to-one relationship.
  package func propertyPath(_ keyPath: String, of entity: EntityDescription) throws -> PropertyPath
  {
    let (names, owner, name) = try path(keyPath, of: entity)
    if owner.attribute(named: name) != nil {
      return PropertyPath(names: names, isRelationship: false)
    }
    if owner.relationship(named: name)?.isToMany == false {
      return PropertyPath(names: names, isRelationship: true)
    }
    if name == PropertyPath.objectID, owner.relationship(named: name) == nil {
      return PropertyPath(names: names.dropLast(), isRelationship: true)
    }
    throw unknownProperty(
      name, of: owner, among: owner.attributes.map(\.name) + owner.toOneRelationships.map(\.name),
      "a property to fetch is an attribute or a to-one relationship")
  }

  /// The names of a key path, which must lead through to-one relationships to an attribute, and the
  /// attribute.
  func attributePath(_ keyPath: String, of entity: EntityDescription) throws -> (
    names: [String], attribute: AttributeDescription
  ) {
    let (names, owner, name) = try path(keyPath, of: entity)
    if let attribute = owner.attribute(named: name) { return (names, attribute) }
    throw unknownProperty(
      name, of: owner, among: owner.attributes.map(\.name), "it must be an attribute")
  }

  /// The names of a key path, the entity of its last one, and that name.
  private func path(_ keyPath: String, of entity: EntityDescription) throws -> (
    names: [String], owner: EntityDescription, name: String
  ) {
    var current = entity
    let names = KeyPathText.components(of: keyPath) ?? [keyPath]
    for name in names.dropLast() {
      guard let relationship = current.relationship(named: name), !relationship.isToMany,
        let next = model.entity(named: relationship.destinationEntityName)
      else {
        throw unknownProperty(
          name, of: current, among: current.toOneRelationships.map(\.name),
          "a property to fetch is reached through to-one relationships")
      }
      current = next
    }
    return (names, current, names.last ?? "")
  }

  private func unknownProperty(
    _ name: String, of entity: EntityDescription, among known: [String], _ detail: String
  ) -> ManagedObjectError {
    .unknownKey(
      name, among: known, doing: "fetching \(name)", subject: entity.name, detail: detail)
  }
}
