/// Numbers as they are written in a predicate.
enum PredicateNumber {
  /// The value of a number: whole where it fits 64 bits and has no point or exponent, a double else; nil when it is none.
  ///
  /// A minus sign may stand before it; `0x`, `0b` and `0o` are understood.
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
