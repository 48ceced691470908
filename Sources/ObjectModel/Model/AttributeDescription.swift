/// Describes an attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The attribute's name, as the store or the model spells it.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// How its values stand in the store.
  public var encoding: ValueEncoding
  /// Whether nil is allowed.
  public var isOptional: Bool
  /// The value of a new object; ``Value/null`` for none.
  ///
  /// Decoded, not stored.
  public var defaultValue: Value
  /// Whether values are computed by the store (a generated column) and cannot be set.
  public var isReadOnly: Bool
  /// What the store itself declares, such as `NVARCHAR(160)`; empty when nothing.
  public var declaredType: String
  /// What a compiled model says beside; as usual for other stores.
  public var details: AttributeDetails {
    get { boxedDetails.value }
    set { boxedDetails.value = newValue }
  }

  private var boxedDetails: Boxed<AttributeDetails>
  private static let usualDetails = Boxed(AttributeDetails())

  /// Describes an attribute.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The type of its values.
  ///   - encoding: How they are stored; nil for the usual encoding of the type.
  ///   - isOptional: Whether nil is allowed.
  ///   - defaultValue: The value of a new object.
  ///   - isReadOnly: Whether the store computes it.
  ///   - declaredType: What the store declares.
  ///   - details: What a compiled model says beside; nil for the usual.
  public init(
    _ name: String, _ type: AttributeType, encoding: ValueEncoding? = nil,
    isOptional: Bool = true, defaultValue: Value = .null, isReadOnly: Bool = false,
    declaredType: String = "", details: AttributeDetails? = nil
  ) {
    self.name = name
    self.type = type
    self.encoding = encoding ?? type.defaultEncoding
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.isReadOnly = isReadOnly
    self.declaredType = declaredType
    boxedDetails = details.map { Boxed($0) } ?? Self.usualDetails
  }
}

extension AttributeType {
  /// The encoding that a store we make uses for values of this type.
  public var defaultEncoding: ValueEncoding {
    switch self {
    case .undefined, .integer16, .integer32, .integer64, .double, .float, .string, .binaryData,
      .transformable:
      .native
    case .boolean: .booleanInteger
    case .date: .isoText
    case .decimal: .decimalText
    case .uuid: .uuidText
    case .uri: .urlText
    }
  }

  /// Whether values are numbers, to be aligned right.
  public var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}
