/// The functions of the predicate language, with their NSExpression names.
package enum PredicateFunction: String, CaseIterable, Sendable {
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncate = "trunc:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case now
  case random
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case valueForKeyPath = "valueForKeyPath:"

  /// Functions of NSPredicate that return their argument.
  static let identities: Set<String> = ["noindex", "distinct"]

  /// The number of arguments.
  package var arity: Int {
    switch self {
    case .now, .random: 0
    case .valueForKeyPath: 2
    default: rawValue.count { $0 == ":" }
    }
  }

  /// Whether it computes one value from a collection.
  var isAggregate: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
    default: false
    }
  }

  /// The infix operator of the function and its precedence; nil for functions that are written as
  /// calls.
  var infix: (sign: String, strength: Int)? {
    switch self {
    case .bitwiseOr: ("|", 1)
    case .bitwiseXor: ("^", 2)
    case .bitwiseAnd: ("&", 3)
    case .leftShift: ("<<", 4)
    case .rightShift: (">>", 4)
    case .add: ("+", 5)
    case .subtract: ("-", 5)
    case .multiply: ("*", 6)
    case .divide: ("/", 6)
    case .power: ("**", 7)
    default: nil
    }
  }

  /// The name in a call: without the last colon if it has one argument.
  var written: String {
    arity == 1 ? String(rawValue.dropLast()) : rawValue
  }

  /// Creates a function from its name in a call, ignoring case and a last colon; nil for an unknown
  /// name.
  package init?(written name: String) {
    // As written in NSExpression first: a predicate that is evaluated asks for every object.
    guard let function = Self.byName[name] ?? Self.byName[Self.plain(name)] else { return nil }
    self = function
  }

  private static let byName = Dictionary(
    allCases.flatMap { [(plain($0.rawValue), $0), ($0.rawValue, $0)] }, uniquingKeysWith: { $1 })

  /// A written name without its last colon, in lower case.
  static func plain(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(":") ? String(lower.dropLast()) : lower
  }
}
