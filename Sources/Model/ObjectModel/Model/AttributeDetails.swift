/// What few attributes have, most of them of Core Data models.
public struct AttributeDetails: Hashable, Sendable {
  /// What it specifies for every kind of property.
  public var property: PropertyDetails
  /// The value class, such as `NSString`; nil if the model has none.
  package var valueClassName: String?
  /// The name of the value transformer of a transformable attribute; nil for none or the default
  /// one.
  public var valueTransformerName: String?
  /// Whether large values may be stored in external files.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether a deletion keeps the last value in persistent history.
  package var preservesValueInHistoryOnDeletion: Bool
  /// Whether CloudKit may encrypt the value.
  package var allowsCloudEncryption: Bool
  /// The derivation of a derived attribute; nil for any other.
  public var derivation: Derivation?
  /// The composite attribute that contains this leaf, such as `address` for `address.street`; nil
  /// outside of composites.
  package var compositeName: String?
  /// The class name of a default value that ``Value`` cannot represent; nil for any other default.
  package var defaultClassName: String?
  /// The expression by which the store computes the value of a new object if nobody sets one, such
  /// as `CURRENT_TIMESTAMP`; nil if the default is a value, or there is none.
  package var defaultExpression: String?
  /// The `NSAttributeType` of a type that ``AttributeType`` does not have, such as 2000 for an
  /// object ID; nil for any other.
  package var unknownTypeNumber: Int?

  /// How the store computes a derived attribute.
  public struct Derivation: Hashable, Sendable {
    /// The expression, such as `count(pages)` or `asset.title`.
    package var expression: String
    /// A predicate format that limits the derivation to matching objects; nil for all objects.
    package var filter: String?

    /// Creates a derivation.
    package init(_ expression: String, filter: String? = nil) {
      self.expression = expression
      self.filter = filter
    }
  }

  /// Creates details; omitted arguments have the default value of a Core Data model.
  public init(
    property: PropertyDetails = PropertyDetails(), valueClassName: String? = nil,
    valueTransformerName: String? = nil, allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false, allowsCloudEncryption: Bool = false,
    derivation: Derivation? = nil, compositeName: String? = nil, defaultClassName: String? = nil,
    defaultExpression: String? = nil, unknownTypeNumber: Int? = nil
  ) {
    self.property = property
    self.valueClassName = valueClassName
    self.valueTransformerName = valueTransformerName
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.allowsCloudEncryption = allowsCloudEncryption
    self.derivation = derivation
    self.compositeName = compositeName
    self.defaultClassName = defaultClassName
    self.defaultExpression = defaultExpression
    self.unknownTypeNumber = unknownTypeNumber
  }
}
