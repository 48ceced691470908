/// What a compiled model says of an attribute beside its name and type.
public struct AttributeDetails: Hashable, Sendable {
  /// What it says of any property.
  public var property: PropertyDetails
  /// The class of its values, as `NSString`; nil when the model names none.
  public var valueClassName: String?
  /// What turns its objects into bytes and back; nil for none, or for the usual one.
  public var valueTransformerName: String?
  /// Whether long values may stand in files of their own.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether a deletion keeps the last value in the store's history.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Whether a mirrored store may encrypt it.
  public var allowsCloudEncryption: Bool
  /// How the store derives it from others; nil when it does not.
  public var derivation: Derivation?
  /// The composite attribute that this one is a leaf of, as `address` for `address.street`; nil when it is none.
  public var compositeName: String?
  /// A default that is no value of ours, by the name of its class; nil when there is none.
  public var defaultClassName: String?
  /// The model's own number of a type that has none of ours (2000, an object's ID); nil otherwise.
  public var unknownTypeNumber: Int?

  /// How a store derives an attribute.
  public struct Derivation: Hashable, Sendable {
    /// The expression, as `count(pages)` or `asset.title`.
    public var expression: String
    /// Which objects it is derived for, in the words of a predicate; nil for all.
    public var filter: String?

    /// Describes a derivation.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - filter: Which objects it is derived for.
    public init(_ expression: String, filter: String? = nil) {
      self.expression = expression
      self.filter = filter
    }
  }

  /// Describes details; what is left out is as usual.
  ///
  /// - Parameters:
  ///   - property: What is said of any property.
  ///   - valueClassName: The class of its values.
  ///   - valueTransformerName: What turns its objects into bytes.
  ///   - allowsExternalBinaryDataStorage: Whether long values may stand in files.
  ///   - preservesValueInHistoryOnDeletion: Whether a deletion keeps the last value.
  ///   - allowsCloudEncryption: Whether a mirrored store may encrypt it.
  ///   - derivation: How the store derives it.
  ///   - compositeName: The composite attribute that this one is a leaf of.
  ///   - defaultClassName: The class of a default that is no value of ours.
  ///   - unknownTypeNumber: The number of a type that has none of ours.
  public init(
    property: PropertyDetails = PropertyDetails(), valueClassName: String? = nil,
    valueTransformerName: String? = nil, allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false, allowsCloudEncryption: Bool = false,
    derivation: Derivation? = nil, compositeName: String? = nil, defaultClassName: String? = nil,
    unknownTypeNumber: Int? = nil
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
    self.unknownTypeNumber = unknownTypeNumber
  }
}
