import Foundation

/// A clock by which stored numbers are dates: from when it counts, and in which unit.
package struct DateClock: Hashable, Sendable {
  /// The unit in which a clock counts.
  enum Unit: Hashable, Sendable {
    /// Parts of a second.
    case perSecond(Int64)
    /// Days with a fraction, and the number of the first day of 1970.
    case days(of1970: Double)
  }

  let unit: Unit
  /// Seconds from 2001-01-01 UTC to the clock's zero.
  private let zero: Int
  /// Whether zero and what is after the year 9999 are no dates but signs, such as "never".
  private let isBounded: Bool

  private init(_ unit: Unit, zero: Int, isBounded: Bool = true) {
    (self.unit, self.zero, self.isBounded) = (unit, zero, isBounded)
  }

  private static let zeroOf1970 = -978_307_200
  private static let zeroOf1601 = zeroOf1970 - 11_644_473_600
  private static let zeroOfYear1 = zeroOf1970 - 62_135_596_800

  /// The clock of an encoding; nil if it is none of numbers that count.
  init?(_ encoding: ValueEncoding) {
    switch encoding {
    case .unixSeconds: self.init(.perSecond(1), zero: Self.zeroOf1970, isBounded: false)
    case .unixMilliseconds: self.init(.perSecond(1_000), zero: Self.zeroOf1970, isBounded: false)
    case .unixMicroseconds: self.init(.perSecond(1_000_000), zero: Self.zeroOf1970)
    case .unixNanoseconds: self.init(.perSecond(1_000_000_000), zero: Self.zeroOf1970)
    case .referenceSeconds: self.init(.perSecond(1), zero: 0, isBounded: false)
    case .referenceNanoseconds: self.init(.perSecond(1_000_000_000), zero: 0)
    case .webKitMicroseconds: self.init(.perSecond(1_000_000), zero: Self.zeroOf1601)
    case .fileTime: self.init(.perSecond(10_000_000), zero: Self.zeroOf1601)
    case .dotNetTicks: self.init(.perSecond(10_000_000), zero: Self.zeroOfYear1)
    case .julianDay: self.init(.days(of1970: 2_440_587.5), zero: 0, isBounded: false)
    case .oleDays: self.init(.days(of1970: 25_569), zero: 0)
    default: return nil
    }
  }

  // MARK: Reading

  /// A stored number as seconds since 2001-01-01 UTC; nil if it is no number, or a sign.
  func referenceSeconds(_ stored: Value) -> Double? {
    switch stored {
    case .integer(let number): bounded(seconds(number), isZero: number == 0)
    case .double(let number):
      number.isFinite ? bounded(seconds(number), isZero: number == 0) : nil
    case .string(let text): Self.number(in: text).flatMap(referenceSeconds)
    default: nil
    }
  }

  /// The number that a text in a column of text is; nil for any other text.
  private static func number(in text: String) -> Value? {
    guard text.utf8.count <= 24, Number.isNumeric(text) else { return nil }
    return Int64(text).map(Value.integer) ?? Double(text).map(Value.double)
  }

  private func bounded(_ seconds: Double, isZero: Bool) -> Double? {
    guard isBounded else { return seconds }
    // 0 is midnight of a real day in 1970 and 2001 only.
    let isSign = isZero && zero < Self.zeroOf1970 || isZero && unit == .days(of1970: 25_569)
    return isSign || !Self.years0To9999.contains(seconds) ? nil : seconds
  }

  private static let years0To9999 = -63_145_440_000.0..<252_423_993_600.0

  private func seconds(_ number: Int64) -> Double {
    guard case .perSecond(let units) = unit, units > 1 else { return seconds(Double(number)) }
    let (whole, part) = number.flooredQuotient(by: units)
    let seconds = Int(whole) + zero
    let (product, overflows) = seconds.multipliedReportingOverflow(by: Int(units))
    let all = product + Int(overflows ? 0 : part)
    // Both are exact then, so that the quotient is rounded once.
    if !overflows, all.magnitude < 1 << 53 { return Double(all) / Double(units) }
    return Double(seconds) + Double(part) / Double(units)
  }

  private func seconds(_ number: Double) -> Double {
    switch unit {
    case .perSecond(1): number + Double(zero)
    case .perSecond(let units):
      Int64(exactly: number).map(seconds) ?? number / Double(units) + Double(zero)
    case .days(let first): (number - first) * 86_400 + Double(Self.zeroOf1970)
    }
  }

  // MARK: Writing

  /// The number that a date is stored as; nil if it is out of range.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - model: A stored value of the column, whose storage class the new one has; null for none.
  /// - Returns: The number.
  func stored(_ date: Date, like model: Value) -> Value? {
    let seconds = date.timeIntervalSinceReferenceDate
    switch unit {
    case .perSecond(1): return Self.stored(seconds - Double(zero), like: model)
    case .days(let first):
      return Self.stored(date.timeIntervalSince1970 / 86_400 + first, like: model)
    case .perSecond(let units):
      guard seconds.magnitude < 1e15 else { return nil }
      let exact = DecimalSeconds(seconds)
      let count = (Int128(exact.whole) - Int128(zero)) * Int128(units) + exact.parts(per: units)
      guard let number = Int64(exactly: count) else { return nil }
      switch model {
      case .double: return .double(Double(number))
      case .string: return .string(String(number))
      default: return .integer(number)
      }
    }
  }

  private static func stored(_ number: Double, like model: Value) -> Value {
    switch (model, Int64(exactly: number)) {
    case (.double, _), (_, nil): .double(number)
    case (.string, let whole?): .string(String(whole))
    case (_, let whole?): .integer(whole)
    }
  }
}

extension Int64 {
  /// The quotient rounded down, and what is left.
  fileprivate func flooredQuotient(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

extension CivilDate {
  /// The day of a number such as 20240501; nil for any other number.
  package init?(calendarNumber number: Int64) {
    guard (101...99_991_231).contains(number) else { return nil }
    let (year, month, day) = (Int(number / 10_000), Int(number / 100 % 100), Int(number % 100))
    guard year > 0, day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day as a number such as 20240501; nil outside the years 1 to 9999.
  var calendarNumber: Int64? {
    (1...9999).contains(year) ? Int64(year * 10_000 + month * 100 + day) : nil
  }
}
