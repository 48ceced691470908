/// Seconds with a decimal fraction, exactly.
///
/// Text has decimal digits and `Date` a binary fraction: converting by way of a rounded fraction
/// would give a neighbour of the date.
package struct DecimalSeconds {
  /// The whole seconds, rounded down.
  package var whole = 0
  /// The digits after the point, as a number.
  private(set) var ticks: Int128 = 0
  /// The number of digits after the point.
  private(set) var digits = 0

  private static let longest = 19

  package init() {}

  /// The shortest decimal number that is read as a double, rounded to 19 digits after the point.
  ///
  /// - Parameter seconds: A finite number, less than 1e15.
  init(_ seconds: Double) {
    if let whole = Int(exactly: seconds) {
      self.whole = whole
      return
    }
    let parts = seconds.magnitude.description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let number = parts[0].split(separator: ".")
    let fraction = number.count > 1 && number[1] != "0" ? number[1] : ""
    var all = Int128(number[0] + fraction) ?? 0
    digits = fraction.count - exponent
    while digits < 0 { (all, digits) = (all * 10, digits + 1) }
    while digits > Self.longest {
      (all, digits) = ((all + (digits == Self.longest + 1 ? 5 : 0)) / 10, digits - 1)
    }
    if seconds < 0 { all = -all }
    let scale = Self.power(digits)
    let floor = all / scale - (all % scale < 0 ? 1 : 0)
    (whole, ticks) = (Int(floor), all - floor * scale)
  }

  /// Adds a digit after the point; those that no date needs are ignored.
  package mutating func append(_ digit: Int) {
    guard digits < Self.longest else { return }
    (ticks, digits) = (ticks * 10 + Int128(digit), digits + 1)
  }

  /// Adds zeros.
  mutating func pad(to count: Int) {
    while digits < min(count, Self.longest) { append(0) }
  }

  /// The digits after the point; as many zeros as asked for if there are only zeros.
  func fraction(orDigits count: Int) -> String {
    if ticks == 0 { return String(repeating: "0", count: count) }
    return String((ticks + Self.power(digits)).description.dropFirst())
  }

  /// The fraction in parts of a second, rounded.
  func parts(per units: Int64) -> Int128 {
    let scale = Self.power(digits)
    return (2 * ticks * Int128(units) + scale) / (2 * scale)
  }

  /// The nearest double.
  package var seconds: Double {
    if ticks == 0 { return Double(whole) }
    let scale = Self.power(digits)
    let all = Int128(whole) * scale + ticks
    // Both are exact, so that the quotient is rounded once.
    if all.magnitude < 1 << 53, digits < 16 { return Double(Int(all)) / Double(Int(scale)) }
    return Double("\(all)e-\(digits)") ?? Double(whole)
  }

  private static let powers = (0...longest).reduce(into: [Int128]()) { powers, _ in
    powers.append(powers.last.map { $0 * 10 } ?? 1)
  }

  private static func power(_ exponent: Int) -> Int128 { powers[exponent] }
}
