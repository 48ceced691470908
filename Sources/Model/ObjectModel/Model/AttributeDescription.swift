/// Describes an attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The attribute's name, spelled as in the model or the table.
  public var name: String
  /// The type of its decoded values.
  public var type: AttributeType
  /// How its values are stored in SQLite.
  public var encoding: ValueEncoding
  /// Whether the value may be null.
  public var isOptional: Bool
  /// The decoded default value of a new object; ``Value/null`` for none.
  public var defaultValue: Value
  /// Whether the store computes the values (a generated or derived column), so that they cannot be
  /// set.
  public var isReadOnly: Bool
  /// The type in the table's declaration, such as `NVARCHAR(160)`; empty if there is none.
  public var declaredType: String
  /// What only Core Data models have; default values for plain databases.
  public var details: AttributeDetails {
    get { rare.value.details }
    set { rare.value.details = newValue }
  }
  /// How the column is read, and why; nil unless a plain database was looked at.
  package var reading: AttributeReading? {
    get { rare.value.reading }
    set { rare.value.reading = newValue }
  }

  private struct Rare: Hashable, Sendable {
    var details = AttributeDetails()
    var reading: AttributeReading?
  }

  private var rare: Boxed<Rare>
  private static let defaultRare = Boxed(Rare())

  /// Creates an attribute description.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The type of its values.
  ///   - encoding: How they are stored; nil for the default encoding of the type.
  ///   - isOptional: Whether the value may be null.
  ///   - defaultValue: The decoded default value of a new object.
  ///   - isReadOnly: Whether the store computes the values; always true of a derived attribute.
  ///   - declaredType: The type in the table's declaration.
  ///   - details: What only Core Data models have; nil for default values.
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
    self.isReadOnly = isReadOnly || details?.derivation != nil
    self.declaredType = declaredType
    rare = details.map { Boxed(Rare(details: $0)) } ?? Self.defaultRare
  }
}

extension AttributeDescription {
  /// Whether a new object has a value if nobody sets one, from the model or from the store.
  package var hasDefault: Bool { !defaultValue.isNull || details.defaultExpression != nil }
}

extension AttributeType {
  /// The encoding for values of this type in a plain database that this package creates.
  package var defaultEncoding: ValueEncoding {
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

  /// Whether values are numbers, which lists align right.
  package var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}
