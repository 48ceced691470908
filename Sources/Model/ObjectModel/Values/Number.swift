package import Foundation

/// An integer, double or decimal, compared by exact value across these kinds.
package enum Number: Hashable, Sendable {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  /// The nearest double; NaN for a decimal NaN.
  package var approximation: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.isNaN ? .nan : Double(value.description) ?? .nan
    }
  }

  /// Compares two numbers by exact value: -1, 0 or 1.
  ///
  /// The nearest doubles are compared first, then the exact values; a double with a fraction counts
  /// as the shortest decimal that parses back to it.
  package static func compare(_ a: Number, _ b: Number) -> Int {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return a == b ? 0 : a < b ? -1 : 1
    case (.double(let a), .double(let b)): return compare(a, b)
    default: break
    }
    let order = compare(a.approximation, b.approximation)
    guard order == 0, let a = a.exact, let b = b.exact else { return order }
    return a == b ? 0 : a < b ? -1 : 1
  }

  /// Compares two doubles, NaN smallest: -1, 0 or 1.
  package static func compare(_ a: Double, _ b: Double) -> Int {
    if a < b { return -1 }
    if a > b { return 1 }
    return a == b ? 0 : a.isNaN ? (b.isNaN ? 0 : -1) : 1
  }

  /// The exact value as a decimal; nil for NaN, an infinity, or a double out of a decimal's range.
  package var exact: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .decimal(let value): value.isNaN ? nil : value
    case .double(let value): Self.decimal(value)
    }
  }

  /// Converts a double to a decimal: integers exactly, others as the shortest decimal that parses
  /// back to it.
  package static func decimal(_ value: Double) -> Decimal? {
    guard value.isFinite else { return nil }
    if value.magnitude >= 0x1p53, value.magnitude < 0x1p126, let whole = Int128(exactly: value) {
      return Decimal(string: String(whole))
    }
    guard let decimal = Decimal(string: "\(value)"), !decimal.isNaN else { return nil }
    return decimal
  }

  /// Parses a decimal number in plain or scientific notation; nil for any other text, also with
  /// spaces.
  package static func decimal(text: String) -> Decimal? {
    guard isNumeric(text), let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
    return decimal
  }

  /// Whether a text is a number: an optional sign, digits with an optional point, an optional
  /// exponent, nothing else.
  package static func isNumeric(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    func skipSign() {
      if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() }
    }
    func skipDigits() -> Int {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    skipSign()
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return false }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      skipSign()
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
