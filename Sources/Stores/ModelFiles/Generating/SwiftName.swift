/// Converts names of a model to Swift identifiers.
enum SwiftName {
  /// The class name of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; `my entity` becomes `MyEntity`.
  ///   - prefix: The prefix of the class name.
  /// - Returns: The identifier; a keyword or the name of a type that generated code uses gets a
  ///   trailing underscore.
  static func type(_ entity: String, prefix: String) -> String {
    let name = prefix + capitalized(joined(entity))
    if takenTypes.contains(name) || keywords.contains(name) { return name + "_" }
    return beginning(name)
  }

  /// Whether a Swift identifier can begin with a text.
  static func isBeginning(_ text: String) -> Bool {
    text.isEmpty || beginning(joined(text)) == text
  }

  /// The name of a property.
  ///
  /// - Parameter property: The property's name, or the key path of a composite's leaf;
  ///   `address.street` becomes `addressStreet`.
  /// - Returns: The identifier, in backquotes if it is a keyword; the name of a member of
  ///   `ManagedObject` gets a trailing underscore.
  static func property(_ property: String) -> String {
    let name = beginning(joined(property))
    if objectMembers.contains(name) { return name + "_" }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// The capitalized property name in a method's name, as in `addToDvds`.
  static func inMethod(_ property: String) -> String { capitalized(joined(property)) }

  /// A Swift string literal with the text.
  static func literal(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { literal, scalar in
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _
      where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || scalar.value == 0x2028 || scalar.value == 0x2029:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    } + "\""
  }

  /// The name in camel case: other characters than letters, digits and underscores are removed, and
  /// the letter after them is capitalized.
  private static func joined(_ name: String) -> String {
    let parts = name.split { !($0.isLetter || $0.isNumber || $0 == "_") || !isPlain($0) }
    guard let first = parts.first else { return "" }
    return String(first) + parts.dropFirst().map { capitalized(String($0)) }.joined()
  }

  /// Whether Swift accepts a character in an identifier; some letters and digits have scalars that
  /// it does not.
  private static func isPlain(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  private static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The name, with a leading underscore if an identifier cannot begin with its first character.
  private static func beginning(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "_" }
    return first == "_" || first.properties.isXIDStart ? (name == "_" ? "__" : name) : "_" + name
  }

  /// Members of `ManagedObject` and its metatype.
  private static let objectMembers: Set<String> = [
    "objectID", "managedObjectContext", "entity", "entityName", "isFault", "isInserted",
    "isUpdated", "isDeleted", "hasChanges", "isAccessible", "displayName", "changedKeys",
    "hashValue", "uniqueIdentifier", "shouldAutoGenerateGloballyUniqueIdentifiers", "self", "Type",
    "Protocol",
  ]

  /// Names of types that generated code uses.
  private static let takenTypes: Set<String> = [
    "Array", "AttributeKey", "Bool", "Data", "Date", "Decimal", "Double", "EntityClass",
    "FetchRequest", "Float", "Int", "Int16", "Int32", "Int64", "ManagedObject", "RelationshipKey",
    "Sequence", "Set", "String", "URL", "UUID", "Value",
  ]

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "async", "await",
    "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "didSet", "do",
    "dynamic", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "get", "guard", "if", "import", "in", "init", "inout", "internal", "is", "lazy", "let", "nil",
    "open", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat",
    "required", "rethrows", "return", "self", "set", "some", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak",
    "where", "while", "willSet",
  ]
}
