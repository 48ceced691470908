/// A Swift type that the values of an attribute have: String, Int64, Date?, an enum with such raw
/// values.
///
/// An enum declares its missing value, and has the rest from its raw value:
///
///     enum Format: String, AttributeValue {
///       case dvd, bluRay
///       static let missingValue = Format.dvd
///     }
public protocol AttributeValue: PredicateArgument, Sendable {
  /// Converts a decoded value.
  ///
  /// - Parameter attributeValue: The value of an attribute. The result is nil if it is of another
  ///   kind, or out of range.
  init?(attributeValue: Value)

  /// The value for the attribute.
  var attributeValue: Value { get }

  /// What an attribute without a value, or with a value of another kind, reads as: nil for an
  /// optional, else 0, false, empty or the distant past.
  static var missingValue: Self { get }

  /// The type of an attribute that a key of this type declares; by default that of the raw value,
  /// or of the missing value.
  static var attributeType: AttributeType { get }

  /// Whether an attribute that a key of this type declares may be null; by default whether the
  /// missing value is.
  static var acceptsNull: Bool { get }
}

/// A type of texts, which predicates can search: String and String?.
public protocol TextAttributeValue: AttributeValue {}

extension AttributeValue {
  /// The value as a constant.
  public var predicateArgument: FetchPredicate.Argument { .init(attributeValue) }
  /// The type of the missing value.
  public static var attributeType: AttributeType { missingValue.attributeValue.typeOfAttribute }
  /// Whether the missing value is null.
  public static var acceptsNull: Bool { missingValue.attributeValue.isNull }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// Converts a raw value; nil if there is no case with it.
  public init?(attributeValue: Value) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }
  /// The raw value for the attribute.
  public var attributeValue: Value { rawValue.attributeValue }
  /// The type of the raw values.
  public static var attributeType: AttributeType { RawValue.attributeType }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// Converts a value; null is `.some(nil)`.
  public init?(attributeValue: Value) {
    if attributeValue.isNull {
      self = .none
    } else if let value = Wrapped(attributeValue: attributeValue) {
      self = .some(value)
    } else {
      return nil
    }
  }
  /// The wrapped value; null for nil.
  public var attributeValue: Value { self?.attributeValue ?? .null }
  /// Nil.
  public static var missingValue: Wrapped? { nil }
  /// The type of the wrapped values.
  public static var attributeType: AttributeType { Wrapped.attributeType }
}

extension Optional: TextAttributeValue where Wrapped: TextAttributeValue {}

extension Value: AttributeValue {
  /// The value itself.
  public init?(attributeValue: Value) { self = attributeValue }
  /// The value itself.
  public var attributeValue: Value { self }
  /// Null.
  public static var missingValue: Value { .null }
}

extension Value {
  /// The type of an attribute that has such values.
  fileprivate var typeOfAttribute: AttributeType {
    switch self {
    case .null: .undefined
    case .integer: .integer64
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .bool: .boolean
    case .date: .date
    case .data: .binaryData
    case .uuid: .uuid
    case .url: .uri
    }
  }
}
