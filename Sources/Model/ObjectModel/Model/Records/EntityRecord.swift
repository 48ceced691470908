/// The JSON of an entity; nil stands for the default value.
struct EntityRecord: Codable {
  var name: String
  var extends: String?
  var isAbstract: Bool?
  var attributes: [AttributeRecord]?
  var relationships: [RelationshipRecord]?
  var unique: [[String]]?
  var key: [String]?
  var readOnlyReason: String?
  var className: String?
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]?
  var transientAttributes: [AttributeRecord]?
  var transientRelationships: [RelationshipRecord]?
  var composites: [CompositeRecord]?
  var fetchedProperties: [FetchedPropertyRecord]?
  var fetchIndexes: [FetchIndexRecord]?
  var compoundIndexes: [[String]]?
  var unenforcedKeys: [String]?
  var unreadableColumns: [String]?

  init(_ entity: EntityDescription) {
    let details = entity.details
    name = entity.name
    extends = entity.superentityName
    isAbstract = entity.isAbstract.ifTrue
    attributes = entity.attributes.map(AttributeRecord.init).nonEmpty
    relationships = entity.relationships.map(RelationshipRecord.init).nonEmpty
    unique = entity.uniquenessConstraints.nonEmpty
    key = entity.keyAttributes.nonEmpty
    readOnlyReason = entity.readOnlyReason
    className = details.className
    renamingIdentifier = details.renamingIdentifier
    versionHashModifier = details.versionHashModifier
    userInfo = details.userInfo.nonEmpty
    transientAttributes = details.transientAttributes.map(AttributeRecord.init).nonEmpty
    transientRelationships = details.transientRelationships.map(RelationshipRecord.init).nonEmpty
    composites = details.composites.map(CompositeRecord.init).nonEmpty
    fetchedProperties = details.fetchedProperties.map(FetchedPropertyRecord.init).nonEmpty
    fetchIndexes = details.fetchIndexes.map(FetchIndexRecord.init).nonEmpty
    compoundIndexes = details.compoundIndexes.nonEmpty
    unenforcedKeys = details.unenforcedKeys.nonEmpty
    unreadableColumns = details.unreadableColumns.nonEmpty
  }

  var description: EntityDescription {
    EntityDescription(
      name: name, superentityName: extends, isAbstract: isAbstract ?? false,
      attributes: (attributes ?? []).map(\.description),
      relationships: (relationships ?? []).map(\.description),
      uniquenessConstraints: unique ?? [], keyAttributes: key ?? [],
      readOnlyReason: readOnlyReason, details: details)
  }

  private var details: EntityDetails {
    EntityDetails(
      className: className, renamingIdentifier: renamingIdentifier,
      versionHashModifier: versionHashModifier, userInfo: userInfo ?? [:],
      transientAttributes: (transientAttributes ?? []).map(\.description),
      transientRelationships: (transientRelationships ?? []).map(\.description),
      composites: (composites ?? []).map(\.description),
      fetchedProperties: (fetchedProperties ?? []).map(\.description),
      fetchIndexes: (fetchIndexes ?? []).map(\.description), compoundIndexes: compoundIndexes ?? [],
      unenforcedKeys: unenforcedKeys ?? [], unreadableColumns: unreadableColumns ?? [])
  }
}
