/// The JSON of the details that every kind of property has; nil stands for the default value.
struct PropertyRecord: Codable {
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]?
  var validations: [ValidationRule]?
  var isIndexedBySpotlight: Bool?
  var isIndexed: Bool?

  /// Creates the JSON of details; nil if they are all default.
  init?(_ details: PropertyDetails) {
    guard details != PropertyDetails() else { return nil }
    renamingIdentifier = details.renamingIdentifier
    versionHashModifier = details.versionHashModifier
    userInfo = details.userInfo.nonEmpty
    validations = details.validations.nonEmpty
    isIndexedBySpotlight = details.isIndexedBySpotlight.ifTrue
    isIndexed = details.isIndexed.ifTrue
  }

  /// The details; default details if there is no JSON.
  static func details(_ record: PropertyRecord?) -> PropertyDetails {
    guard let record else { return PropertyDetails() }
    return PropertyDetails(
      renamingIdentifier: record.renamingIdentifier,
      versionHashModifier: record.versionHashModifier, userInfo: record.userInfo ?? [:],
      validations: record.validations ?? [],
      isIndexedBySpotlight: record.isIndexedBySpotlight ?? false,
      isIndexed: record.isIndexed ?? false)
  }
}

/// The JSON of a composite attribute; nil stands for the default value.
struct CompositeRecord: Codable {
  var name: String
  var typeName: String?
  var property: PropertyRecord?

  init(_ composite: CompositeAttributeDescription) {
    name = composite.name
    typeName = composite.typeName
    property = PropertyRecord(composite.details)
  }

  var description: CompositeAttributeDescription {
    CompositeAttributeDescription(
      name, typeName: typeName, details: PropertyRecord.details(property))
  }
}
