/// Makes names of a model into names of Swift.
enum SwiftName {
  /// The name of an entity's class.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; `my entity` becomes `MyEntity`.
  ///   - prefix: What stands before it.
  /// - Returns: The name, without backquotes.
  static func type(_ entity: String, prefix: String) -> String {
    let name = prefix + capitalized(joined(entity))
    if takenTypes.contains(name) || keywords.contains(name) { return name + "_" }
    return beginning(name)
  }

  /// Whether a text can begin any name.
  static func isBeginning(_ text: String) -> Bool {
    text.isEmpty || beginning(joined(text)) == text
  }

  /// The name of a property, in backquotes where it is a keyword.
  ///
  /// - Parameter property: The property's name, or the path of a composite's leaf; `address.street` becomes `addressStreet`.
  /// - Returns: The name; one that `ManagedObject` has itself gets an underscore at its end.
  static func property(_ property: String) -> String {
    let name = beginning(joined(property))
    if taken.contains(name) { return name + "_" }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// The part of a method's name that tells the property, as in `addToDvds`.
  static func inMethod(_ property: String) -> String { capitalized(joined(property)) }

  /// A literal of text.
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

  /// Letters, digits and underscores, with a capital letter after what was left out.
  private static func joined(_ name: String) -> String {
    let parts = name.split { !($0.isLetter || $0.isNumber || $0 == "_") || !isPlain($0) }
    guard let first = parts.first else { return "" }
    return String(first) + parts.dropFirst().map { capitalized(String($0)) }.joined()
  }

  /// Whether Swift takes a character into a name: some digits and letters are of several parts, or none of its own.
  private static func isPlain(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  private static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The name, with an underscore before it where it begins with what no name can begin with.
  private static func beginning(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "_" }
    return first == "_" || first.properties.isXIDStart ? (name == "_" ? "__" : name) : "_" + name
  }

  /// Names that objects have themselves.
  private static let taken: Set<String> = [
    "objectID", "managedObjectContext", "entity", "entityName", "isFault", "isInserted",
    "isUpdated",
    "isDeleted", "hasChanges", "isAccessible", "displayName", "changedKeys", "hashValue",
  ]

  /// Names of types that classes are made of.
  private static let takenTypes: Set<String> = [
    "Array", "Bool", "Data", "Date", "Decimal", "Double", "EntityClass", "FetchRequest", "Float",
    "Int", "Int16", "Int32", "Int64", "ManagedObject", "Sequence", "Set", "String", "URL", "UUID",
    "Value",
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
