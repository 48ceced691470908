/// The functions of the language, by their NSExpression names.
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

  /// How many arguments it takes.
  package var arity: Int {
    switch self {
    case .now, .random: 0
    case .valueForKeyPath: 2
    default: rawValue.count { $0 == ":" }
    }
  }

  /// Whether it makes one value of a whole collection.
  package var isAggregate: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
    default: false
    }
  }

  /// The sign between its two arguments, and how strongly it binds; nil when it is written as a function.
  package var infix: (sign: String, strength: Int)? {
    switch self {
    case .add: ("+", 1)
    case .subtract: ("-", 1)
    case .multiply: ("*", 2)
    case .divide: ("/", 2)
    case .power: ("**", 3)
    default: nil
    }
  }

  /// The name as it is written before a parenthesis: without the colon of a single argument.
  package var written: String {
    arity == 1 ? String(rawValue.dropLast()) : rawValue
  }

  /// The function of a written name, whatever its case and with or without its last colon; nil when there is none.
  package init?(written name: String) {
    guard let function = Self.byName[Self.plain(name)] else { return nil }
    self = function
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { (plain($0.rawValue), $0) })

  private static func plain(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(":") ? String(lower.dropLast()) : lower
  }
}
