/// A word of a predicate's text.
struct PredicateToken {
  enum Kind: Equatable {
    /// A name or a keyword, perhaps with the colons of a function.
    case word(String)
    /// A name that cannot be a keyword: `#name`, `` `name` `` or `@name`.
    case name(String)
    /// A number as it is written.
    case number(String)
    /// Text in quotes, its escapes resolved.
    case string(String)
    /// `$name`.
    case variable(String)
    /// `%@`, `%K`, `%d`…: what stands after the percent sign.
    case argument(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  let kind: Kind
  /// Where it stands, in Unicode scalars.
  let range: Range<Int>
}

/// What the words of the language are.
enum PredicateWords {
  /// The words that are no names unless a `#` stands before them.
  static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "LIKE", "MATCHES", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// The operators by the ways they are written; the first of each is the one we write.
  static let operators: [(operation: FetchPredicate.Operator, signs: [String])] = [
    (.equal, ["==", "="]), (.notEqual, ["!=", "<>"]), (.less, ["<"]),
    (.lessOrEqual, ["<=", "=<"]), (.greater, [">"]), (.greaterOrEqual, [">=", "=>"]),
    (.between, ["BETWEEN"]), (.in, ["IN"]), (.contains, ["CONTAINS"]),
    (.beginsWith, ["BEGINSWITH"]), (.endsWith, ["ENDSWITH"]), (.like, ["LIKE"]),
    (.matches, ["MATCHES"]),
  ]

  /// The operator of each sign or keyword in capitals.
  static let operation = Dictionary(
    uniqueKeysWithValues: operators.flatMap { entry in
      entry.signs.map { ($0, entry.operation) }
    })

  /// The way each operator is written.
  static let sign = Dictionary(
    uniqueKeysWithValues: operators.map { ($0.operation, $0.signs[0]) })

  /// Whether a scalar can begin a name.
  static func beginsName(_ scalar: UnicodeScalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Whether a scalar can stand within a name.
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
