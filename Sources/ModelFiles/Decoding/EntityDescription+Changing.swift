import ObjectModel

extension EntityDescription {
  /// The same entity with some parts changed; nil leaves a part as it is.
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

  /// The same entity with all that another has before its own.
  func inheriting(_ parent: EntityDescription) -> EntityDescription {
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
