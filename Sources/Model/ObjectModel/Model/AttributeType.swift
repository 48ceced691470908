/// The type of an attribute, with Core Data's names.
public enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
  /// Unknown type; values have the kind in which they are stored.
  case undefined
  /// A 16-bit integer.
  case integer16
  /// A 32-bit integer.
  case integer32
  /// A 64-bit integer.
  case integer64
  /// A decimal number.
  case decimal
  /// A double.
  case double
  /// A float.
  case float
  /// Text.
  case string
  /// A boolean.
  case boolean
  /// A date.
  case date
  /// Bytes.
  case binaryData
  /// A UUID.
  case uuid
  /// A URI.
  case uri
  /// The bytes that a value transformer makes of an object; never decoded.
  case transformable
}
