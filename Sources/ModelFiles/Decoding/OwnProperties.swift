import ObjectModel

/// The properties of an entity as they are gathered, without those that it inherits.
struct OwnProperties {
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  /// Transient and fetched properties, and composites.
  var details = EntityDetails()

  /// Adds an attribute where it belongs.
  mutating func add(_ attribute: AttributeDescription, isTransient: Bool) {
    if isTransient {
      details.transientAttributes.append(attribute)
    } else {
      attributes.append(attribute)
    }
  }

  /// Adds a relationship where it belongs.
  mutating func add(_ relationship: RelationshipDescription, isTransient: Bool) {
    if isTransient {
      details.transientRelationships.append(relationship)
    } else {
      relationships.append(relationship)
    }
  }
}
