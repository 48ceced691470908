/// The JSON of what a compiled model says of any property.
///
/// What is nil is usual.
struct PropertyRecord: Codable {
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]?
  var validations: [Rule]?
  var isIndexedBySpotlight: Bool?
  var isIndexed: Bool?

  /// The JSON of a rule.
  struct Rule: Codable {
    var predicate: String
    var warning: String?
  }

  /// The JSON of details; nil when they are as usual.
  init?(_ details: PropertyDetails) {
    guard details != PropertyDetails() else { return nil }
    renamingIdentifier = details.renamingIdentifier
    versionHashModifier = details.versionHashModifier
    userInfo = details.userInfo.nonEmpty
    validations =
      details.validations.map { Rule(predicate: $0.predicate, warning: $0.warning) }.nonEmpty
    isIndexedBySpotlight = details.isIndexedBySpotlight.ifTrue
    isIndexed = details.isIndexed.ifTrue
  }

  /// The details; the usual ones where there is no JSON.
  static func details(_ record: PropertyRecord?) -> PropertyDetails {
    guard let record else { return PropertyDetails() }
    return PropertyDetails(
      renamingIdentifier: record.renamingIdentifier,
      versionHashModifier: record.versionHashModifier, userInfo: record.userInfo ?? [:],
      validations: (record.validations ?? []).map {
        ValidationRule($0.predicate, warning: $0.warning)
      },
      isIndexedBySpotlight: record.isIndexedBySpotlight ?? false,
      isIndexed: record.isIndexed ?? false)
  }
}

/// The JSON of a composite attribute.
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
