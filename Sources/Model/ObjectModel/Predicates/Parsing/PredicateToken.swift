/// A token of a predicate's text.
struct PredicateToken {
  enum Kind: Equatable {
    /// A name or a keyword; a function name may contain colons.
    case word(String)
    /// A name that is not a keyword: `#name`, `` `name` `` or `@name`.
    case name(String)
    /// A number literal, as written.
    case number(String)
    /// The text of a string literal, with escapes resolved.
    case string(String)
    /// The name of a variable `$name`.
    case variable(String)
    /// A format specifier such as `%@`, without the percent sign.
    case argument(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  let kind: Kind
  /// The range in the text, in Unicode scalars.
  let range: Range<Int>
}

/// The keywords and operators of the predicate language, and the rules for names.
enum PredicateWords {
  /// The reserved words, which are names only after a `#`.
  static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "LIKE", "MATCHES", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// The words that may stand before a comparison.
  static let prefixes: Set<String> = ["ANY", "SOME", "ALL", "NONE", "NOT"]

  /// The operators with their spellings; the first spelling is used for printing.
  static let operators: [(operation: FetchPredicate.Operator, signs: [String])] = [
    (.equal, ["==", "="]), (.notEqual, ["!=", "<>"]), (.less, ["<"]),
    (.lessOrEqual, ["<=", "=<"]), (.greater, [">"]), (.greaterOrEqual, [">=", "=>"]),
    (.between, ["BETWEEN"]), (.in, ["IN"]), (.contains, ["CONTAINS"]),
    (.beginsWith, ["BEGINSWITH"]), (.endsWith, ["ENDSWITH"]), (.like, ["LIKE"]),
    (.matches, ["MATCHES"]),
  ]

  /// The operator of each sign or upper-case keyword.
  static let operation = Dictionary(
    uniqueKeysWithValues: operators.flatMap { entry in
      entry.signs.map { ($0, entry.operation) }
    })

  /// The spelling of each operator for printing.
  static let sign = Dictionary(
    uniqueKeysWithValues: operators.map { ($0.operation, $0.signs[0]) })

  /// Whether a name can begin with a scalar.
  static func beginsName(_ scalar: UnicodeScalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Whether a name can continue with a scalar.
  static func continuesName(_ scalar: UnicodeScalar) -> Bool {
    if beginsName(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark, .connectorPunctuation:
      return true
    default: return false
    }
  }

  /// Whether a text is a name that needs no backquotes.
  static func isPlainName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return scalars.first.map(beginsName) ?? false && scalars.allSatisfy(continuesName)
  }
}

/// Parses the number literals of predicates.
enum PredicateNumber {
  /// Parses a number: an integer if it fits 64 bits and has no point or exponent, else a double;
  /// nil if it is not a number.
  ///
  /// A leading minus sign and the prefixes `0x`, `0b` and `0o` are accepted.
  static func value(_ text: String) -> Value? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? text.dropFirst() : Substring(text)
    let radixes: [(prefix: String, radix: Int)] = [("0x", 16), ("0b", 2), ("0o", 8)]
    if let found = radixes.first(where: { digits.lowercased().hasPrefix($0.prefix) }) {
      return Int64((isNegative ? "-" : "") + digits.dropFirst(2), radix: found.radix)
        .map(Value.integer)
    }
    if let whole = Int64(text) { return .integer(whole) }
    return Number.isNumeric(text) ? Double(text).map(Value.double) : nil
  }
}
