/// The type of an attribute, by Core Data's names.
public enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
  /// Not known: values are shown as they are stored.
  case undefined
  /// A whole number of 16 bits.
  case integer16
  /// A whole number of 32 bits.
  case integer32
  /// A whole number of 64 bits.
  case integer64
  /// A decimal number.
  case decimal
  /// A double.
  case double
  /// A float.
  case float
  /// Text.
  case string
  /// True or false.
  case boolean
  /// A moment.
  case date
  /// Bytes.
  case binaryData
  /// A UUID.
  case uuid
  /// A URI.
  case uri
  /// Bytes that a transformer makes of an object.
  case transformable
}
