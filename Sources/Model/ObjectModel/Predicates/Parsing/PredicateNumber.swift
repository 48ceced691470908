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
