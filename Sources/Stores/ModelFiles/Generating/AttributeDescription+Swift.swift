import ObjectModel

extension AttributeType {
  /// Whether the Swift type of the values is one of Foundation.
  var isOfFoundation: Bool {
    switch self {
    case .decimal, .date, .binaryData, .transformable, .uuid, .uri: true
    case .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .undefined: false
    }
  }

  /// The name of the Swift type of the values; all of them are attribute values of ObjectModel.
  var swiftName: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binaryData, .transformable: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .undefined: "Value"
    }
  }
}

extension AttributeDescription {
  /// The Swift type of a property for the attribute.
  var swiftType: String { type.swiftName + (isOptionalInSwift ? "?" : "") }

  /// Whether that type is an optional; a value of any kind has its own null.
  var isOptionalInSwift: Bool { isOptional && type != .undefined }
}
