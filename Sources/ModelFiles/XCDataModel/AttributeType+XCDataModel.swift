import ObjectModel

extension AttributeType {
  /// The names of types in a model of Xcode (core-data-stores 3.3).
  private static let byXcodeName: [String: AttributeType] = [
    "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32,
    "Integer 64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binaryData, "UUID": .uuid,
    "URI": .uri, "Transformable": .transformable,
  ]
  private static let xcodeNames = Dictionary(
    uniqueKeysWithValues: byXcodeName.map { ($0.value, $0.key) })

  /// The name of a composite attribute's type, which is no type of values.
  static let xcodeCompositeName = "Composite"
  /// The name of the type of object IDs, which has no type of ours, and its number in archives.
  static let xcodeObjectID = (name: "Object ID", number: 2000)

  /// The type of a name in a model of Xcode; nil for a name that has no type of ours.
  init?(xcodeName name: String) {
    guard let type = Self.byXcodeName[name] else { return nil }
    self = type
  }

  /// The type's name in a model of Xcode.
  var xcodeName: String { Self.xcodeNames[self] ?? "Undefined" }

  /// The class of values where a model of Xcode names none: what its compiler writes.
  var usualValueClassName: String? {
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
  /// The names of rules in a model of Xcode.
  private static let byXcodeName: [String: DeleteRule] = [
    "No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny,
  ]
  private static let xcodeNames = Dictionary(
    uniqueKeysWithValues: byXcodeName.map { ($0.value, $0.key) })

  /// The rule of a name in a model of Xcode; nil for a name that is none.
  init?(xcodeName name: String) {
    guard let rule = Self.byXcodeName[name] else { return nil }
    self = rule
  }

  /// The rule's name in a model of Xcode.
  var xcodeName: String { Self.xcodeNames[self] ?? "Nullify" }
}
