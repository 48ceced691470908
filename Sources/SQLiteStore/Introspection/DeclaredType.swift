import ObjectModel

/// The meaning of a column's declared type.
///
/// SQLite accepts any text as a type and reduces it to an affinity. The type names in common use
/// are more specific than the affinities.
enum DeclaredType: Hashable {
  /// The name determines the attribute type and the encoding.
  case definite(AttributeType, ValueEncoding)
  /// A date; the values determine the encoding.
  case date
  /// A UUID; the values determine whether it is stored as text or as a blob.
  case uuid
  /// Text, or dates stored as text.
  case text
  /// An integer, or dates stored as integers.
  case integer(AttributeType)
  /// A double, or dates stored as doubles.
  case real
  /// No declared type, or a name without meaning; the values determine the type.
  case unknown

  init(_ text: String) {
    let words = text.uppercased()
    let name = String(words.prefix { $0 != "(" }).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    switch name {
    case "": self = .unknown
    case "ANY": self = .unknown
    case "BOOL", "BOOLEAN": self = .definite(.boolean, .booleanInteger)
    case "TINYINT", "BIT":
      self =
        words.filter { !$0.isWhitespace }.hasSuffix("(1)") || name == "BIT"
        ? .definite(.boolean, .booleanInteger) : .integer(.integer16)
    case "DATE", "DATETIME", "DATETIME2", "DATETIMEOFFSET", "SMALLDATETIME", "TIMESTAMPTZ":
      self = .date
    case _ where name.hasPrefix("TIMESTAMP"): self = .date
    case "TIME", "TIMETZ", "INTERVAL", "YEAR": self = name == "YEAR" ? .integer(.integer16) : .text
    case "DECIMAL", "DEC", "NUMERIC", "NUMBER", "MONEY", "SMALLMONEY", "CURRENCY":
      self = .definite(.decimal, .decimalNumber)
    case "UUID", "GUID", "UNIQUEIDENTIFIER": self = .uuid
    case "URL", "URI": self = .definite(.uri, .urlText)
    case "SMALLINT", "INT2", "INT16": self = .integer(.integer16)
    case "MEDIUMINT", "INT32", "INT4", "UNSIGNED SMALLINT", "SMALLINT UNSIGNED":
      self = .integer(.integer32)
    case "SERIAL", "BIGSERIAL", "LONG": self = .integer(.integer64)
    case "BLOB", "BINARY", "VARBINARY", "BYTEA", "IMAGE", "LONGBLOB", "MEDIUMBLOB", "TINYBLOB":
      self = .definite(.binaryData, .native)
    case "JSON", "JSONB", "STRING", "XML", "ENUM", "SET", "INET", "CITEXT": self = .text
    default: self = Self.byAffinity(name)
    }
  }

  /// Whether the name determines the attribute type and the encoding.
  var isDefinite: Bool {
    if case .definite = self { true } else { false }
  }

  /// Applies SQLite's rules for column affinity, in their order.
  private static func byAffinity(_ name: String) -> DeclaredType {
    if name.contains("INT") { return .integer(.integer64) }
    if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) { return .text }
    if name.contains("BLOB") { return .definite(.binaryData, .native) }
    if ["REAL", "FLOA", "DOUB"].contains(where: name.contains) { return .real }
    return .unknown
  }
}
