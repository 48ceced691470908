/// What a compiled model says of any property beside its name and type.
///
/// Nothing of it changes how objects are read; it is kept so that a model can be described and written whole.
public struct PropertyDetails: Hashable, Sendable {
  /// The name by which an earlier version of the model is matched; nil when it is the name itself.
  public var renamingIdentifier: String?
  /// What tells a version of the property from another of the same shape; nil when nothing.
  public var versionHashModifier: String?
  /// The programmer's own notes.
  public var userInfo: [String: String]
  /// Rules on values, in the order of the model.
  public var validations: [ValidationRule]
  /// Whether the property is offered to the system's search.
  public var isIndexedBySpotlight: Bool
  /// Whether the old flag that asks for an index is set; see ``FetchIndexDescription``.
  public var isIndexed: Bool

  /// Describes details.
  ///
  /// - Parameters:
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - versionHashModifier: What tells a version from another.
  ///   - userInfo: The programmer's notes.
  ///   - validations: Rules on values.
  ///   - isIndexedBySpotlight: Whether it is offered to search.
  ///   - isIndexed: Whether the old flag for an index is set.
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

/// A rule that values of a property must keep.
public struct ValidationRule: Hashable, Sendable {
  /// The condition in the words of a predicate, as `SELF >= 1` or `length <= 50`.
  public var predicate: String
  /// The model's name or number of the rule's error; nil when it gives none.
  public var warning: String?

  /// Describes a rule.
  ///
  /// - Parameters:
  ///   - predicate: The condition in the words of a predicate.
  ///   - warning: The name or number of its error.
  public init(_ predicate: String, warning: String? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}
