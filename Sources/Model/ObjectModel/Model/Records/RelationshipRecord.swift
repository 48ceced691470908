/// The JSON of a relationship; nil stands for the default value.
struct RelationshipRecord: Codable {
  var name: String
  var destination: String
  var inverse: String?
  var isToMany: Bool?
  var isOrdered: Bool?
  var isOptional: Bool?
  var deleteRule: DeleteRule?
  var foreignKey: [String]?
  var property: PropertyRecord?
  var minCount: Int?
  var maxCount: Int?

  init(_ relationship: RelationshipDescription) {
    let details = relationship.details
    name = relationship.name
    destination = relationship.destinationEntityName
    inverse = relationship.inverseName
    isToMany = relationship.isToMany.ifTrue
    isOrdered = relationship.isOrdered.ifTrue
    isOptional = relationship.isOptional ? nil : false
    deleteRule = relationship.deleteRule == .nullify ? nil : relationship.deleteRule
    foreignKey = relationship.foreignKeyAttributes.nonEmpty
    property = PropertyRecord(details.property)
    minCount = details.minCount == 0 ? nil : details.minCount
    maxCount = details.maxCount == 0 ? nil : details.maxCount
  }

  var description: RelationshipDescription {
    let details = RelationshipDetails(
      property: PropertyRecord.details(property), minCount: minCount ?? 0, maxCount: maxCount ?? 0)
    return RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: isToMany ?? false,
      isOrdered: isOrdered ?? false, isOptional: isOptional ?? true,
      deleteRule: deleteRule ?? .nullify, foreignKeyAttributes: foreignKey ?? [],
      details: details == RelationshipDetails() ? nil : details)
  }
}
