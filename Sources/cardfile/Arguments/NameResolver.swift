import ObjectModel

/// Resolves the names in arguments; the failure for an unknown name suggests the most similar ones.
struct NameResolver {
  let model: ManagedObjectModel
  /// The store's name, for messages.
  let storeName: String

  func entity(_ name: String) throws(Failure) -> EntityDescription {
    if let entity = model.entity(named: name) { return entity }
    let names = model.entities.map(\.name)
    throw Failure(
      .usage, "no entity “\(name)” in \(storeName)",
      try: suggestion(for: name, in: names) ?? "cardfile entities \(storeName)")
  }

  /// The attribute at the end of a key path through to-one relationships.
  func attribute(at keyPath: String, from entity: EntityDescription, option: String)
    throws(Failure) -> AttributeDescription
  {
    if let attribute = entity.attribute(named: keyPath) { return attribute }
    var entity = entity
    guard let keys = KeyPathText.components(of: keyPath) else {
      throw Failure(
        .usage, "\(option): “\(keyPath)” is not a key path",
        try: "a name, or names with dots between")
    }
    for key in keys.dropLast() {
      guard let relationship = entity.relationship(named: key) else {
        throw unknown(
          key, in: entity, option: option, offering: entity.toOneRelationships.map(\.name))
      }
      guard !relationship.isToMany,
        let destination = model.entity(named: relationship.destinationEntityName)
      else {
        throw Failure(
          .usage, "\(option): \(entity.name).\(key) is a to-many relationship",
          try: "a key path through to-one relationships")
      }
      entity = destination
    }
    let last = keys.last ?? ""
    if let attribute = entity.attribute(named: last) { return attribute }
    if entity.relationship(named: last) != nil {
      throw Failure(
        .usage, "\(option): \(entity.name).\(last) is a relationship",
        try: "an attribute behind it, as \(last).name")
    }
    throw unknown(last, in: entity, option: option, offering: entity.attributes.map(\.name))
  }

  /// The failure for a name that an entity does not have.
  func unknown(
    _ name: String, in entity: EntityDescription, option: String, offering names: [String]
  ) -> Failure {
    Failure(
      .usage, "\(option): no “\(name)” in \(entity.name)",
      try: suggestion(for: name, in: names) ?? "cardfile describe \(storeName) \(entity.name)")
  }

  private func suggestion(for name: String, in names: [String]) -> String? {
    let nearest = NearestNames.suggestions(for: name, in: names)
    return nearest.isEmpty ? nil : nearest.joined(separator: ", ")
  }
}
