/// The sum of doubles, rounded once at the end: it does not depend on the order in which they come,
/// which differs between memory and SQL and from one query plan to another.
///
/// It is a fixed-point number that has every bit of every finite double, in digits of 32 bits that
/// are carried late.
package struct ExactSum: Sendable {
  /// Digits in units of 2^-1074, the smallest double, the lowest first; empty until a number comes.
  private var digits: [Int64] = []
  /// How many numbers were added since the digits were carried.
  private var uncarried = 0
  /// The sum of the numbers that are not finite.
  private var nonFinite = 0.0

  /// As many as the greatest exponent needs, and two for the carry of 2^63 numbers.
  private static let digitCount = 2_098 / 32 + 3

  package init() {}

  /// Adds a number.
  package mutating func add(_ number: Double) {
    guard number.isFinite else { return nonFinite += number }
    guard number != 0 else { return }
    if digits.isEmpty { digits = Array(repeating: 0, count: Self.digitCount) }
    if uncarried == 1 << 29 { carry() }
    uncarried += 1
    let isNormal = number.exponentBitPattern > 0
    let bits = number.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let shift = isNormal ? Int(number.exponentBitPattern) - 1 : 0
    let wide = UInt128(bits) << (shift & 31)
    for index in 0..<3 {
      let digit = Int64(UInt64(truncatingIfNeeded: wide >> (32 * index)) & 0xFFFF_FFFF)
      digits[shift >> 5 + index] += number.sign == .minus ? -digit : digit
    }
  }

  /// Adds a number a number of times: its products with the powers of two of that are exact.
  package mutating func add(_ number: Double, times: Int) {
    var rest = times
    while rest > 0 {
      let bit = rest.trailingZeroBitCount
      add(Double(sign: .plus, exponent: bit, significand: number))
      rest &= rest - 1
    }
  }

  /// Adds what another sum has.
  package mutating func add(_ other: ExactSum) {
    nonFinite += other.nonFinite
    guard !other.digits.isEmpty else { return }
    guard !digits.isEmpty else {
      (digits, uncarried) = (other.digits, other.uncarried)
      return
    }
    var other = other
    other.carry()
    carry()
    for index in digits.indices { digits[index] += other.digits[index] }
    uncarried = 1
  }

  /// Adds an integer.
  package mutating func add(_ number: Int128) {
    for index in 0..<4 {
      let part = UInt32(truncatingIfNeeded: number.magnitude >> (32 * index))
      let value = Double(sign: .plus, exponent: 32 * index, significand: Double(part))
      add(number < 0 ? -value : value)
    }
  }

  /// The sum: the nearest double; infinite if it exceeds all doubles, NaN of opposite infinities.
  package var value: Double {
    guard nonFinite == 0 else { return nonFinite }
    var sum = self
    sum.carry()
    let isNegative = (sum.digits.last { $0 != 0 } ?? 0) < 0
    if isNegative {
      for index in sum.digits.indices { sum.digits[index] = -sum.digits[index] }
      sum.carry()
    }
    return isNegative ? -sum.magnitude : sum.magnitude
  }

  /// Makes every digit but the last one 0..<2^32.
  private mutating func carry() {
    uncarried = 0
    guard !digits.isEmpty else { return }
    for index in 0..<digits.count - 1 {
      digits[index + 1] += digits[index] >> 32
      digits[index] &= 0xFFFF_FFFF
    }
  }

  /// The double nearest to the carried digits, which are not negative.
  private var magnitude: Double {
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    let length = 32 * top + (64 - digits[top].leadingZeroBitCount)
    let dropped = Swift.max(0, length - 53)
    var significand: UInt64 = 0
    for bit in stride(from: length - 1, through: dropped, by: -1) {
      significand = significand << 1 | (isSet(bit) ? 1 : 0)
    }
    if dropped > 0, isSet(dropped - 1) {
      let isHalf = !(0..<dropped - 1).contains(where: isSet)
      if !isHalf || significand & 1 == 1 { significand += 1 }
    }
    return Double(
      sign: .plus, exponent: dropped - 1_074, significand: Double(significand))
  }

  private func isSet(_ bit: Int) -> Bool { digits[bit >> 5] >> Int64(bit & 31) & 1 == 1 }
}
