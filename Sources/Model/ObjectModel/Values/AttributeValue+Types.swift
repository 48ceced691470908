public import Foundation

// The Swift types of Core Data's attribute types.

extension AttributeValue where Self: AdditiveArithmetic {
  /// 0.
  public static var missingValue: Self { .zero }
}

extension Int: AttributeValue {}
extension Int16: AttributeValue {
  /// A 16-bit integer.
  public static var attributeType: AttributeType { .integer16 }
}
extension Int32: AttributeValue {
  /// A 32-bit integer.
  public static var attributeType: AttributeType { .integer32 }
}
extension Int64: AttributeValue {}

extension AttributeValue where Self: FixedWidthInteger & SignedInteger {
  /// Converts an integer in the range of the type.
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }
  /// The integer.
  public var attributeValue: Value { .integer(Int64(self)) }
}

extension Double: AttributeValue {}
extension Float: AttributeValue {
  /// A float.
  public static var attributeType: AttributeType { .float }
}

extension AttributeValue where Self: BinaryFloatingPoint {
  /// Converts a number.
  public init?(attributeValue: Value) {
    switch attributeValue {
    case .double(let number): self.init(number)
    case .integer(let number): self.init(number)
    default: return nil
    }
  }
  /// The number.
  public var attributeValue: Value { .double(Double(self)) }
}

extension Decimal: AttributeValue {
  /// Converts a number.
  public init?(attributeValue: Value) {
    switch attributeValue {
    case .decimal(let number): self = number
    case .integer(let number): self.init(number)
    case .double(let number) where number.isFinite: self.init(number)
    default: return nil
    }
  }
  /// The number.
  public var attributeValue: Value { .decimal(self) }
}

extension String: TextAttributeValue {
  /// Converts text.
  public init?(attributeValue: Value) {
    guard case .string(let value) = attributeValue else { return nil }
    self = value
  }
  /// The value for the attribute.
  public var attributeValue: Value { .string(self) }
  /// The empty text.
  public static var missingValue: String { "" }
}

extension Bool: AttributeValue {
  /// Converts a Boolean.
  public init?(attributeValue: Value) {
    guard case .bool(let value) = attributeValue else { return nil }
    self = value
  }
  /// The value for the attribute.
  public var attributeValue: Value { .bool(self) }
  /// False.
  public static var missingValue: Bool { false }
}

extension Date: AttributeValue {
  /// Converts a date.
  public init?(attributeValue: Value) {
    guard case .date(let value) = attributeValue else { return nil }
    self = value
  }
  /// The value for the attribute.
  public var attributeValue: Value { .date(self) }
  /// The distant past.
  public static var missingValue: Date { .distantPast }
}

extension Data: AttributeValue {
  /// Converts bytes.
  public init?(attributeValue: Value) {
    guard case .data(let value) = attributeValue else { return nil }
    self = value
  }
  /// The value for the attribute.
  public var attributeValue: Value { .data(self) }
  /// No bytes.
  public static var missingValue: Data { Data() }
}

extension UUID: AttributeValue {
  /// Converts a UUID.
  public init?(attributeValue: Value) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self = value
  }
  /// The value for the attribute.
  public var attributeValue: Value { .uuid(self) }
  /// The UUID of zeros.
  public static var missingValue: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}

extension URL: AttributeValue {
  /// Converts a URL.
  public init?(attributeValue: Value) {
    guard case .url(let value) = attributeValue else { return nil }
    self = value
  }
  /// The value for the attribute.
  public var attributeValue: Value { .url(self) }
  /// The root folder.
  public static var missingValue: URL { URL(filePath: "/") }
}
