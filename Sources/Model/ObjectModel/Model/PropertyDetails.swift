/// What a Core Data model specifies for every kind of property.
///
/// It does not change how objects are read; it is kept so that a model can be described and written
/// without loss.
public struct PropertyDetails: Hashable, Sendable {
  /// The renaming identifier: the name in an earlier model version; nil if it is the same.
  public var renamingIdentifier: String?
  /// The version hash modifier, which distinguishes versions of the same structure; nil for none.
  public var versionHashModifier: String?
  /// The user info dictionary.
  public var userInfo: [String: String]
  /// The validation rules, in the model's order.
  public var validations: [ValidationRule]
  /// Whether the property is indexed by Spotlight.
  package var isIndexedBySpotlight: Bool
  /// Whether the `indexed` flag of old models is set; newer models list indexes by themselves.
  public var isIndexed: Bool

  /// Creates details.
  public init(
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], validations: [ValidationRule] = [],
    isIndexedBySpotlight: Bool = false, isIndexed: Bool = false
  ) {
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.validations = validations
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isIndexed = isIndexed
  }
}

/// A validation predicate of a property, with its warning.
public struct ValidationRule: Hashable, Sendable, Codable {
  /// The predicate format, such as `SELF >= 1` or `length <= 50`.
  public var predicate: String
  /// The model's validation warning: an error code such as `1610`, or a text; nil for none.
  public var warning: String?

  /// Creates a validation rule.
  public init(_ predicate: String, warning: String? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}

extension ValidationRule: ExpressibleByStringLiteral {
  /// Creates a validation rule from its predicate format, without a warning.
  public init(stringLiteral predicate: String) { self.init(predicate) }
}
