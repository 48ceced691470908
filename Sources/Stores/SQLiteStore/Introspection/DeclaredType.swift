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
  /// A flag, unless the values are others than 0 and 1: then a number of this type.
  case boolean(AttributeType)
  /// A decimal, or dates stored as numbers.
  case decimal
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
    case "BOOL", "BOOLEAN": self = .boolean(.integer64)
    case "TINYINT", "BIT":
      self =
        words.filter { !$0.isWhitespace }.hasSuffix("(1)") || name == "BIT"
        ? .boolean(.integer16) : .integer(.integer16)
    case "DATE", "DATETIME", "DATETIME2", "DATETIMEOFFSET", "SMALLDATETIME", "TIMESTAMPTZ":
      self = .date
    case _ where name.hasPrefix("TIMESTAMP"): self = .date
    case "TIME", "TIMETZ", "INTERVAL", "YEAR": self = name == "YEAR" ? .integer(.integer16) : .text
    case "DECIMAL", "DEC", "NUMERIC", "NUMBER", "MONEY", "SMALLMONEY", "CURRENCY":
      self = .decimal
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

  /// Whether values may be dates.
  var mayBeDate: Bool {
    switch self {
    case .date, .text, .integer, .real, .decimal, .unknown: true
    case .definite, .boolean, .uuid: false
    }
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
