import ObjectModel

/// A primitive type of OData's entity data model.
enum EdmType: String, CaseIterable, Sendable {
  case boolean = "Boolean"
  case byte = "Byte"
  case signedByte = "SByte"
  case int16 = "Int16"
  case int32 = "Int32"
  case int64 = "Int64"
  case decimal = "Decimal"
  case single = "Single"
  case double = "Double"
  case string = "String"
  case guid = "Guid"
  case date = "Date"
  case dateTimeOffset = "DateTimeOffset"
  case timeOfDay = "TimeOfDay"
  case duration = "Duration"
  case binary = "Binary"

  /// Creates a type from its name in a document, as `Edm.Int32`; nil for any other type.
  init?(qualified name: String) {
    guard name.hasPrefix("Edm."), let type = EdmType(rawValue: String(name.dropFirst(4))) else {
      return nil
    }
    self = type
  }

  /// The type of an attribute with such values.
  ///
  /// A time of day and a duration are text, as the service writes them: no attribute type has them.
  var attributeType: AttributeType {
    switch self {
    case .boolean: .boolean
    case .byte, .signedByte, .int16: .integer16
    case .int32: .integer32
    case .int64: .integer64
    case .decimal: .decimal
    case .single: .float
    case .double: .double
    case .string, .timeOfDay, .duration: .string
    case .guid: .uuid
    case .date, .dateTimeOffset: .date
    case .binary: .binaryData
    }
  }

  /// Whether values are whole numbers.
  var isInteger: Bool {
    [.integer16, .integer32, .integer64].contains(attributeType)
  }
}
