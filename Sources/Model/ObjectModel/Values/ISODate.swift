/// A date parsed from ISO 8601 text, with the form it was written in.
///
/// Accepted are `2024-05-01`, optionally followed by `T` or a space and `13:45`, `13:45:00` or
/// `13:45:00.123`, then optionally `Z`, `+02`, `+0200` or `+02:00`. Text without a time zone is in
/// UTC. Years have four digits.
package struct ISODate: Hashable, Sendable {
  /// The date, in seconds since 2001-01-01 UTC, as `Date` keeps it.
  package var referenceSeconds: Double { parts.referenceSeconds }
  /// The date, in seconds since 1970-01-01 UTC.
  package var seconds: Double { referenceSeconds + ISODateParts.referenceDate }
  private var parts = ISODateParts()
  /// The time zone as written; empty for none.
  private var zone = ""

  /// Parses a date.
  ///
  /// - Parameter text: The whole text. The result is nil if it is not a date in an accepted form.
  package init?(_ text: String) {
    guard let parts = text.withBytes({ ISODateParts(utf8: $0) }) else { return nil }
    self.parts = parts
    zone = String(decoding: Array(text.utf8)[parts.zoneStart...], as: UTF8.self)
  }

  /// Parses a date without allocating memory.
  ///
  /// - Parameter utf8: The UTF-8 bytes of the whole text.
  /// - Returns: Seconds since 1970-01-01 UTC; nil if the text is not a date in an accepted form.
  package static func seconds(utf8: UnsafeBufferPointer<UInt8>) -> Double? {
    referenceSeconds(utf8: utf8).map { $0 + ISODateParts.referenceDate }
  }

  /// Parses a date without allocating memory.
  ///
  /// - Parameter utf8: The UTF-8 bytes of the whole text.
  /// - Returns: Seconds since 2001-01-01 UTC; nil if the text is not a date in an accepted form.
  package static func referenceSeconds(utf8: UnsafeBufferPointer<UInt8>) -> Double? {
    ISODateParts(utf8: utf8)?.referenceSeconds
  }

  /// Formats a date in the form of this one, adding a time or a fraction if it would be lost
  /// otherwise.
  ///
  /// The fraction is rounded half to even from its exact value: the sum of the two numbers would
  /// lose bits.
  ///
  /// - Parameters:
  ///   - seconds: The date, in seconds since another one.
  ///   - epoch: That one, in whole seconds since 1970-01-01 UTC.
  /// - Returns: The text, to the millisecond; to the microsecond if this date has more than three
  ///   digits. Nil outside the years 0 to 9999.
  package func text(_ seconds: Double, since epoch: Int) -> String? {
    guard seconds.magnitude < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let second = Int(whole) + epoch + parts.zoneOffset
    let milliseconds = Self.rounded(seconds - whole, times: 1_000)
    let fractionDigits = parts.fractionDigits
    let digits =
      fractionDigits > 3
      ? min(fractionDigits, 6) : milliseconds % 1_000 != 0 ? 3 : fractionDigits
    let scale = digits > 3 ? 1_000_000 : 1_000
    let ticks =
      second * scale
      + (digits > 3 ? Self.rounded(seconds - whole, times: 1_000_000) : milliseconds)
    let localSeconds = Self.floorDivide(ticks, by: scale)
    guard digits > 0 else { return text(localSeconds: localSeconds, fraction: "") }
    let fraction = String(ticks - localSeconds * scale + scale).dropFirst() + "000"
    return text(localSeconds: localSeconds, fraction: String(fraction.prefix(digits)))
  }

  /// Formats a date in the form of this one, adding a time or digits if anything would be lost
  /// otherwise: the text parses to the same date.
  ///
  /// - Parameter referenceSeconds: The date, in seconds since 2001-01-01 UTC.
  /// - Returns: The text, with as many digits as the date needs, 19 at most; nil outside the years
  ///   0 to 9999.
  package func exactText(referenceSeconds: Double) -> String? {
    guard referenceSeconds.magnitude < 1e12 else { return nil }
    var exact = DecimalSeconds(referenceSeconds)
    let digits = parts.fractionDigits
    exact.pad(to: exact.ticks == 0 || digits > 3 ? digits : 3)
    return text(
      localSeconds: exact.whole + Int(ISODateParts.referenceDate) + parts.zoneOffset,
      fraction: exact.fraction(orDigits: digits))
  }

  /// The text of a local time in seconds since 1970 and the digits of its fraction.
  private func text(localSeconds: Int, fraction: String) -> String? {
    let day = Self.floorDivide(localSeconds, by: 86_400)
    let date = CivilDate(daysSince1970: day)
    guard (0...9999).contains(date.year) else { return nil }
    let second = localSeconds - day * 86_400
    let isDay =
      parts.separator == nil && second == 0 && fraction.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
    // Written as bytes: lists and searches format many dates. A day needs no memory of its own.
    let capacity = isDay ? 10 : 20 + fraction.utf8.count + zone.utf8.count
    return String(unsafeUninitializedCapacity: capacity) { buffer in
      var count = 0
      func append(_ byte: UInt8) {
        buffer.initializeElement(at: count, to: byte)
        count += 1
      }
      func append(_ bytes: String.UTF8View) {
        for byte in bytes { append(byte) }
      }
      func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(number / 10))
        append(UInt8(ascii: "0") + UInt8(number % 10))
      }
      append(twoDigits: date.year / 100)
      append(twoDigits: date.year % 100)
      append(UInt8(ascii: "-"))
      append(twoDigits: date.month)
      append(UInt8(ascii: "-"))
      append(twoDigits: date.day)
      if isDay { return count }
      append(parts.separator ?? UInt8(ascii: " "))
      append(twoDigits: second / 3_600)
      append(UInt8(ascii: ":"))
      append(twoDigits: second / 60 % 60)
      if parts.hasSeconds || second % 60 != 0 || !fraction.isEmpty {
        append(UInt8(ascii: ":"))
        append(twoDigits: second % 60)
      }
      if !fraction.isEmpty {
        append(UInt8(ascii: "."))
        append(fraction.utf8)
      }
      append(zone.utf8)
      return count
    }
  }

  /// A fraction of a second in ticks, rounded half to even from the exact product.
  private static func rounded(_ fraction: Double, times scale: Double) -> Int {
    let product = fraction * scale
    let rest = (-product).addingProduct(fraction, scale)
    let nearest = product.rounded(.toNearestOrEven)
    guard rest != 0, (product - product.rounded(.down)) == 0.5 else { return Int(nearest) }
    return Int(rest > 0 ? product.rounded(.up) : product.rounded(.down))
  }

  private static func floorDivide(_ a: Int, by b: Int) -> Int {
    let quotient = a / b
    return a % b < 0 ? quotient - 1 : quotient
  }

  private init() {}

  /// The form of new dates: `2009-01-01`, followed by a space and the time unless it is midnight.
  package static let standard = ISODate()
}

/// The parts of an ISO 8601 date, parsed from bytes without allocating memory.
struct ISODateParts: Hashable {
  /// Seconds from 1970-01-01 to 2001-01-01.
  static let referenceDate = 978_307_200.0

  /// Since 2001-01-01 UTC.
  var referenceSeconds = 0.0
  /// The byte before the time, `T` or a space; nil if there is no time.
  var separator: UInt8?
  var hasSeconds = true
  /// The number of digits in the fraction of a second.
  var fractionDigits = 0
  /// The offset of the time zone in the text.
  var zoneStart = 0
  /// From UTC, in seconds.
  var zoneOffset = 0
}

extension ISODateParts {
  init?(utf8: UnsafeBufferPointer<UInt8>) {
    guard utf8.count >= 10, utf8.count <= 48, utf8[4] == 0x2D, utf8[7] == 0x2D,
      let century = Self.pair(utf8, 0), let yearOfCentury = Self.pair(utf8, 2),
      let month = Self.pair(utf8, 5), let day = Self.pair(utf8, 8)
    else { return nil }
    let date = CivilDate(year: century * 100 + yearOfCentury, month: month, day: day)
    guard day >= 1, day <= CivilDate.days(inMonth: month, of: date.year) else { return nil }
    let midnight = date.daysSince1970 * 86_400 - Int(Self.referenceDate)
    referenceSeconds = Double(midnight)
    zoneStart = 10
    if utf8.count == 10 { return }

    guard utf8[10] == 0x54 || utf8[10] == 0x20 || utf8[10] == 0x74, utf8.count >= 16,
      let hour = Self.pair(utf8, 11), utf8[13] == 0x3A, let minute = Self.pair(utf8, 14),
      hour < 24, minute < 60
    else { return nil }
    separator = utf8[10]
    hasSeconds = false
    var second = 0
    var fraction = DecimalSeconds()
    var next = 16
    if next < utf8.count, utf8[next] == 0x3A {
      guard let whole = Self.pair(utf8, next + 1), whole < 60 else { return nil }
      hasSeconds = true
      second = whole
      next += 3
      if next < utf8.count, utf8[next] == 0x2E {
        guard let read = readFraction(utf8, at: next + 1) else { return nil }
        fraction = read
        next += 1 + fractionDigits
      }
    }
    zoneStart = next
    guard readZone(utf8, at: next) else { return nil }
    fraction.whole = midnight + hour * 3_600 + minute * 60 - zoneOffset + second
    referenceSeconds = fraction.seconds
  }

  private static func digit(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard index < utf8.count else { return nil }
    let value = Int(utf8[index]) - 0x30
    return value >= 0 && value <= 9 ? value : nil
  }

  private static func pair(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard let tens = digit(utf8, index), let ones = digit(utf8, index + 1) else { return nil }
    return tens * 10 + ones
  }

  private mutating func readFraction(_ utf8: UnsafeBufferPointer<UInt8>, at start: Int)
    -> DecimalSeconds?
  {
    var fraction = DecimalSeconds()
    while let digit = Self.digit(utf8, start + fractionDigits) {
      fractionDigits += 1
      fraction.append(digit)
    }
    return fractionDigits == 0 ? nil : fraction
  }

  private mutating func readZone(_ utf8: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    guard start < utf8.count else { return true }
    let sign = utf8[start]
    if sign == 0x5A || sign == 0x7A { return start + 1 == utf8.count }
    guard sign == 0x2B || sign == 0x2D, let hours = Self.pair(utf8, start + 1), hours < 24 else {
      return false
    }
    var next = start + 3
    var minutes = 0
    if next < utf8.count {
      if utf8[next] == 0x3A { next += 1 }
      guard let read = Self.pair(utf8, next), read < 60 else { return false }
      minutes = read
      next += 2
    }
    zoneOffset = (hours * 60 + minutes) * (sign == 0x2B ? 60 : -60)
    return next == utf8.count
  }
}
