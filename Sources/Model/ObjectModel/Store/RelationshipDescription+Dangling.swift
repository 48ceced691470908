extension RelationshipDescription {
  /// What a foreign key that leads nowhere refers to: an ID of its values, which no object has.
  ///
  /// The ID of a missing object is known by itself where the foreign key refers to the object's key.
  ///
  /// - Parameters:
  ///   - entity: The entity that has the relationship.
  ///   - storeIdentifier: The identifier of the store.
  ///   - value: The stored value of the attribute at an index.
  /// - Returns: Nil if a part of the foreign key is NULL, or there are no attributes for it.
  package func danglingID(
    from entity: EntityDescription, storeIdentifier: String, value: (Int) -> Value
  ) -> ObjectID? {
    let values = foreignKeyAttributes.compactMap(entity.attributeIndex).map(value)
    guard !values.isEmpty, values.count == foreignKeyAttributes.count,
      !values.contains(where: \.isNull)
    else { return nil }
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: destinationEntityName, key: .composite(values))
  }
}
