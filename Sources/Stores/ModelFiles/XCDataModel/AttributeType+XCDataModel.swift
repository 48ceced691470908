import ObjectModel

extension AttributeType {
  /// The types by `attributeType`, their name in Xcode's XML (core-data-stores 3.3).
  static let byXcodeName: [String: AttributeType] = [
    "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32,
    "Integer 64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binaryData, "UUID": .uuid,
    "URI": .uri, "Transformable": .transformable,
  ]

  /// The `attributeType` of a composite attribute, which has no value type of its own.
  static let xcodeCompositeName = "Composite"
  /// The `attributeType` of object IDs, which has no supported value type, and its number in
  /// archives.
  static let xcodeObjectID = (name: "Object ID", number: 2000)

  /// Creates a type from its `attributeType` in Xcode's XML; nil for a name without a supported
  /// value type.
  init?(xcodeName name: String) {
    guard let type = Self.byXcodeName[name] else { return nil }
    self = type
  }

  /// The value class that Xcode's model compiler writes if the XML has no `customClassName`.
  var defaultValueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binaryData: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable: nil
    }
  }
}

extension DeleteRule {
  /// The rules by `deletionRule`, their name in Xcode's XML.
  static let byXcodeName: [String: DeleteRule] = [
    "No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny,
  ]

  /// Creates a rule from its `deletionRule` in Xcode's XML; nil for an unknown name.
  init?(xcodeName name: String) {
    guard let rule = Self.byXcodeName[name] else { return nil }
    self = rule
  }
}
