/// The JSON of an attribute; nil stands for the default value.
struct AttributeRecord: Codable {
  var name: String
  var type: AttributeType
  var encoding: ValueEncoding?
  var isOptional: Bool?
  var defaultValue: Value?
  var isReadOnly: Bool?
  var declaredType: String?
  var property: PropertyRecord?
  var valueClassName: String?
  var valueTransformerName: String?
  var allowsExternalBinaryDataStorage: Bool?
  var preservesValueInHistoryOnDeletion: Bool?
  var allowsCloudEncryption: Bool?
  var derivationExpression: String?
  var derivationFilter: String?
  var compositeName: String?
  var defaultClassName: String?
  var defaultExpression: String?
  var unknownTypeNumber: Int?

  init(_ attribute: AttributeDescription) {
    let details = attribute.details
    name = attribute.name
    type = attribute.type
    encoding = attribute.encoding == attribute.type.defaultEncoding ? nil : attribute.encoding
    isOptional = attribute.isOptional ? nil : false
    // A plain `nil` literal would make a `Value.null`, which would be encoded.
    defaultValue = attribute.defaultValue.isNull ? Value?.none : attribute.defaultValue
    isReadOnly = attribute.isReadOnly.ifTrue
    declaredType = attribute.declaredType.nonEmpty
    property = PropertyRecord(details.property)
    valueClassName = details.valueClassName
    valueTransformerName = details.valueTransformerName
    allowsExternalBinaryDataStorage = details.allowsExternalBinaryDataStorage.ifTrue
    preservesValueInHistoryOnDeletion = details.preservesValueInHistoryOnDeletion.ifTrue
    allowsCloudEncryption = details.allowsCloudEncryption.ifTrue
    derivationExpression = details.derivation?.expression
    derivationFilter = details.derivation?.filter
    compositeName = details.compositeName
    defaultClassName = details.defaultClassName
    defaultExpression = details.defaultExpression
    unknownTypeNumber = details.unknownTypeNumber
  }

  var description: AttributeDescription {
    let details = details
    return AttributeDescription(
      name, type, encoding: encoding, isOptional: isOptional ?? true,
      defaultValue: defaultValue ?? .null, isReadOnly: isReadOnly ?? false,
      declaredType: declaredType ?? "", details: details == AttributeDetails() ? nil : details)
  }

  private var details: AttributeDetails {
    AttributeDetails(
      property: PropertyRecord.details(property), valueClassName: valueClassName,
      valueTransformerName: valueTransformerName,
      allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage ?? false,
      preservesValueInHistoryOnDeletion: preservesValueInHistoryOnDeletion ?? false,
      allowsCloudEncryption: allowsCloudEncryption ?? false,
      derivation: derivationExpression.map { .init($0, filter: derivationFilter) },
      compositeName: compositeName, defaultClassName: defaultClassName,
      defaultExpression: defaultExpression, unknownTypeNumber: unknownTypeNumber)
  }
}
