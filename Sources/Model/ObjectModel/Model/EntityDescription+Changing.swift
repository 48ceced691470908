extension EntityDescription {
  /// Returns a copy with some parts replaced; nil keeps a part.
  package func changed(
    superentityName: String?? = nil, attributes: [AttributeDescription]? = nil,
    relationships: [RelationshipDescription]? = nil, uniquenessConstraints: [[String]]? = nil,
    keyAttributes: [String]? = nil, details: EntityDetails? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: superentityName ?? self.superentityName, isAbstract: isAbstract,
      attributes: attributes ?? self.attributes,
      relationships: relationships ?? self.relationships,
      uniquenessConstraints: uniquenessConstraints ?? self.uniquenessConstraints,
      keyAttributes: keyAttributes ?? self.keyAttributes, readOnlyReason: readOnlyReason,
      details: details ?? self.details)
  }
}
