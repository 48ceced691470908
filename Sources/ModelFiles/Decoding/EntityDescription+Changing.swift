import ObjectModel

extension EntityDescription {
  /// Returns a copy with some parts replaced; nil keeps a part.
  func changed(
    superentityName: String?? = nil, attributes: [AttributeDescription]? = nil,
    relationships: [RelationshipDescription]? = nil, uniquenessConstraints: [[String]]? = nil,
    details: EntityDetails? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: superentityName ?? self.superentityName, isAbstract: isAbstract,
      attributes: attributes ?? self.attributes,
      relationships: relationships ?? self.relationships,
      uniquenessConstraints: uniquenessConstraints ?? self.uniquenessConstraints,
      keyAttributes: keyAttributes, readOnlyReason: readOnlyReason,
      details: details ?? self.details)
  }

  /// Returns a copy with the parent's properties, composites and uniqueness constraints before its
  /// own.
  func inheriting(from parent: EntityDescription) -> EntityDescription {
    var details = details
    let inherited = parent.details
    details.transientAttributes = inherited.transientAttributes + details.transientAttributes
    details.transientRelationships =
      inherited.transientRelationships + details.transientRelationships
    details.composites = inherited.composites + details.composites
    details.fetchedProperties = inherited.fetchedProperties + details.fetchedProperties
    let constraints = Set(parent.uniquenessConstraints)
    let own = uniquenessConstraints.filter { !constraints.contains($0) }
    return changed(
      attributes: parent.attributes + attributes,
      relationships: parent.relationships + relationships,
      uniquenessConstraints: parent.uniquenessConstraints + own, details: details)
  }
}
