import ObjectModel

extension EntityDescription {
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
