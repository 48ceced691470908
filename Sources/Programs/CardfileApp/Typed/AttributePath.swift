package import ObjectModel

/// A key path through to-one relationships to an attribute, as it is typed.
package nonisolated enum AttributePath {
  /// A key path with the title of its object at its end if it leads to one: `genre` is `genre.name`.
  package static func toTitle(
    _ keyPath: String, from entity: EntityDescription, in model: ManagedObjectModel
  ) -> String {
    guard entity.attribute(named: keyPath) == nil, let keys = KeyPathText.components(of: keyPath)
    else { return keyPath }
    var end = entity
    for key in keys {
      guard let relationship = end.relationship(named: key), !relationship.isToMany,
        let destination = model.entity(named: relationship.destinationEntityName)
      else { return keyPath }
      end = destination
    }
    return end.displayAttributeName.map { KeyPathText.text(keys + [$0]) } ?? keyPath
  }

  /// Returns the attribute at the end of a key path.
  ///
  /// - Throws: ``TypedTextError`` with the range of the wrong name in the key path.
  package static func attribute(
    at keyPath: String, from entity: EntityDescription, in model: ManagedObjectModel
  ) throws(TypedTextError) -> AttributeDescription {
    if let attribute = entity.attribute(named: keyPath) { return attribute }
    var entity = entity
    guard let keys = KeyPathText.components(of: keyPath) else {
      throw TypedTextError(
        "“\(keyPath)” is not a key path", at: 0..<keyPath.count,
        expected: "a name, or names with dots between")
    }
    var offset = 0
    for key in keys.dropLast() {
      let range = offset..<offset + key.count
      guard let relationship = entity.relationship(named: key) else {
        throw TypedTextError(
          unknown: key, in: entity.name, at: range,
          offering: entity.toOneRelationships.map(\.name))
      }
      guard !relationship.isToMany,
        let destination = model.entity(named: relationship.destinationEntityName)
      else {
        throw TypedTextError(
          "\(entity.name).\(key) is a to-many relationship", at: range,
          expected: "a key path through to-one relationships")
      }
      entity = destination
      offset += key.count + 1
    }
    let last = keys.last ?? ""
    if let attribute = entity.attribute(named: last) { return attribute }
    let range = min(offset, keyPath.count)..<keyPath.count
    if entity.relationship(named: last) != nil {
      throw TypedTextError(
        "\(entity.name).\(last) is a relationship", at: range,
        expected: "an attribute behind it, as \(last).name")
    }
    throw TypedTextError(
      unknown: last, in: entity.name, at: range, offering: entity.attributes.map(\.name))
  }
}
