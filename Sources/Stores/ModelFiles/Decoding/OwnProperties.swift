import ObjectModel

/// Collects an entity's own properties while it is read.
struct OwnProperties {
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  /// Transient and fetched properties, and composites.
  var details = EntityDetails()

  /// Adds an attribute to the persistent or the transient ones.
  mutating func add(_ attribute: AttributeDescription, isTransient: Bool) {
    if isTransient {
      details.transientAttributes.append(attribute)
    } else {
      attributes.append(attribute)
    }
  }

  /// Adds a relationship to the persistent or the transient ones.
  mutating func add(_ relationship: RelationshipDescription, isTransient: Bool) {
    if isTransient {
      details.transientRelationships.append(relationship)
    } else {
      relationships.append(relationship)
    }
  }
}
