import ObjectModel

/// What the declared type of a column says about its values.
///
/// SQLite lets any text be a type and any value be in a column; the words people use mean more than its affinities.
enum DeclaredType: Hashable {
  /// Says it all.
  case settled(AttributeType, ValueEncoding)
  /// A moment, in one of several forms.
  case date
  /// A UUID, as text or bytes.
  case uuid
  /// Text, which may be a date for want of a type for it.
  case text
  /// A whole number, which may be a time.
  case integer(AttributeType)
  /// A double, which may be a time.
  case real
  /// Says nothing.
  case silent

  init(_ text: String) {
    let words = text.uppercased()
    let name = String(words.prefix { $0 != "(" }).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    switch name {
    case "": self = .silent
    case "ANY": self = .silent
    case "BOOL", "BOOLEAN": self = .settled(.boolean, .booleanInteger)
    case "TINYINT", "BIT":
      self =
        words.filter { !$0.isWhitespace }.hasSuffix("(1)") || name == "BIT"
        ? .settled(.boolean, .booleanInteger) : .integer(.integer16)
    case "DATE", "DATETIME", "DATETIME2", "DATETIMEOFFSET", "SMALLDATETIME", "TIMESTAMPTZ":
      self = .date
    case _ where name.hasPrefix("TIMESTAMP"): self = .date
    case "TIME", "TIMETZ", "INTERVAL", "YEAR": self = name == "YEAR" ? .integer(.integer16) : .text
    case "DECIMAL", "DEC", "NUMERIC", "NUMBER", "MONEY", "SMALLMONEY", "CURRENCY":
      self = .settled(.decimal, .decimalNumber)
    case "UUID", "GUID", "UNIQUEIDENTIFIER": self = .uuid
    case "URL", "URI": self = .settled(.uri, .urlText)
    case "SMALLINT", "INT2", "INT16": self = .integer(.integer16)
    case "MEDIUMINT", "INT32", "INT4", "UNSIGNED SMALLINT", "SMALLINT UNSIGNED":
      self = .integer(.integer32)
    case "SERIAL", "BIGSERIAL", "LONG": self = .integer(.integer64)
    case "BLOB", "BINARY", "VARBINARY", "BYTEA", "IMAGE", "LONGBLOB", "MEDIUMBLOB", "TINYBLOB":
      self = .settled(.binaryData, .native)
    case "JSON", "JSONB", "STRING", "XML", "ENUM", "SET", "INET", "CITEXT": self = .text
    default: self = Self.byAffinity(name)
    }
  }

  /// Whether it says it all.
  var isSettled: Bool {
    if case .settled = self { true } else { false }
  }

  /// SQLite's own rules, in its order.
  private static func byAffinity(_ name: String) -> DeclaredType {
    if name.contains("INT") { return .integer(.integer64) }
    if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) { return .text }
    if name.contains("BLOB") { return .settled(.binaryData, .native) }
    if ["REAL", "FLOA", "DOUB"].contains(where: name.contains) { return .real }
    return .silent
  }
}
