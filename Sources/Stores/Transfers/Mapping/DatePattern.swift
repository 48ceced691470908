import Foundation
import ObjectModel

/// A form of dates in the letters of Unicode, as Core Data's user info `dateFormat` and Foundation's
/// formatters have: `dd.MM.yyyy HH:mm`.
package struct DatePattern: Hashable, Sendable {
  private enum Element: Hashable, Sendable {
    /// A number with its least and greatest number of digits.
    case number(Part, Int, Int)
    case fraction, monthName, dayName, half, zone
    case literal(UInt8)
  }

  private enum Part: Hashable, Sendable {
    case year, shortYear, month, day, hour, hour12, minute, second
  }

  /// The text of the pattern.
  package let text: String
  private var elements: [Element] = []
  /// How many elements a date has at least: a time may be missing.
  private var least: Int

  /// Reads a pattern; nil if it has letters that are not known, or no year, month and day.
  ///
  /// - Parameters:
  ///   - text: The pattern.
  ///   - time: What may follow it, or not.
  package init?(_ text: String, time: String = "") {
    self.text = text + time
    least = 0
    guard append(text) else { return nil }
    least = elements.count
    guard append(time) else { return nil }
    let parts = elements.compactMap { element -> Part? in
      switch element {
      case .number(let part, _, _): part
      case .monthName: .month
      default: nil
      }
    }
    guard parts.contains(.year) || parts.contains(.shortYear), parts.contains(.month),
      parts.contains(.day)
    else { return nil }
  }

  private mutating func append(_ text: String) -> Bool {
    var rest = Substring(text)
    while let letter = rest.first {
      if letter == "'" {
        rest.removeFirst()
        let quoted = rest.prefix { $0 != "'" }
        elements += (quoted.isEmpty ? "'" : quoted).utf8.map(Element.literal)
        rest = rest.dropFirst(quoted.count + 1)
        continue
      }
      let count = rest.prefix { $0 == letter }.count
      rest = rest.dropFirst(count)
      // Numbers that follow each other have all their digits.
      let isFixed = rest.first?.isLetter ?? false || isAfterNumber
      func number(_ part: Part, _ most: Int) -> Element {
        .number(part, isFixed ? count : 1, isFixed ? count : most)
      }
      switch letter {
      case "y", "u": elements.append(count == 2 ? .number(.shortYear, 2, 2) : .number(.year, 4, 4))
      case "M", "L": elements.append(count > 2 ? .monthName : number(.month, 2))
      case "d": elements.append(number(.day, 2))
      case "H": elements.append(number(.hour, 2))
      case "h": elements.append(number(.hour12, 2))
      case "m": elements.append(number(.minute, 2))
      case "s": elements.append(number(.second, 2))
      case "S": elements.append(.fraction)
      case "a": elements.append(.half)
      case "E": elements.append(.dayName)
      case "Z", "X", "x", "z", "O": elements.append(.zone)
      default:
        guard !letter.isLetter else { return false }
        for _ in 0..<count { elements += String(letter).utf8.map(Element.literal) }
      }
    }
    return true
  }

  private var isAfterNumber: Bool {
    if case .number? = elements.last { true } else { false }
  }

  // MARK: Reading

  /// Reads a date.
  ///
  /// - Parameter utf8: The whole text.
  /// - Returns: Seconds since 2001-01-01 UTC; nil if the text has another form, or is no date.
  package func referenceSeconds(_ utf8: UnsafeBufferPointer<UInt8>) -> Double? {
    var (year, month, day, hour, minute, second) = (0, 0, 0, 0, 0, 0)
    var fraction = DecimalSeconds()
    var (half, offset): (Int?, Int) = (nil, 0)
    var index = 0
    for (number, element) in elements.enumerated() {
      if index == utf8.count, number >= least, number > 0 { break }
      switch element {
      case .literal(let byte):
        guard index < utf8.count, utf8[index] == byte else { return nil }
        index += 1
      case .number(let part, let fewest, let most):
        var (value, count) = (0, 0)
        while index < utf8.count, count < most, utf8[index] &- 0x30 < 10 {
          value = value * 10 + Int(utf8[index] - 0x30)
          index += 1
          count += 1
        }
        guard count >= fewest else { return nil }
        switch part {
        case .year: year = value
        case .shortYear: year = value < 50 ? 2000 + value : 1900 + value
        case .month: month = value
        case .day: day = value
        case .hour: hour = value
        case .hour12:
          guard (1...12).contains(value) else { return nil }
          hour = value % 12
        case .minute: minute = value
        case .second: second = value
        }
      case .fraction:
        var count = 0
        while index < utf8.count, utf8[index] &- 0x30 < 10 {
          fraction.append(Int(utf8[index] - 0x30))
          index += 1
          count += 1
        }
        guard count > 0 else { return nil }
      case .monthName, .dayName:
        let names = element == .monthName ? Self.months : Self.days
        guard let (found, length) = Self.name(at: index, of: utf8, in: names) else { return nil }
        if element == .monthName { month = found + 1 }
        index += length
      case .half:
        guard index + 1 < utf8.count, utf8[index + 1] | 0x20 == UInt8(ascii: "m") else {
          return nil
        }
        switch utf8[index] | 0x20 {
        case UInt8(ascii: "a"): half = 0
        case UInt8(ascii: "p"): half = 12
        default: return nil
        }
        index += 2
      case .zone:
        guard let (seconds, length) = Self.zone(at: index, of: utf8) else { return nil }
        offset = seconds
        index += length
      }
    }
    guard index == utf8.count, (1...12).contains(month), day >= 1,
      day <= CivilDate.days(inMonth: month, of: year), hour < 24, minute < 60, second < 60
    else { return nil }
    let midnight = CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400
    fraction.whole =
      midnight - 978_307_200 + (hour + (half ?? 0)) * 3_600 + minute * 60 + second - offset
    return fraction.seconds
  }

  /// Reads a date.
  func referenceSeconds(_ text: String) -> Double? {
    text.withBytes { referenceSeconds($0) }
  }

  // MARK: Writing

  /// The text of a date; nil if its year does not have four digits.
  func text(referenceSeconds: Double) -> String? {
    let seconds = (referenceSeconds + Self.secondsTo2001).rounded(.down)
    guard let day = CivilDate(secondsSince1970: seconds), (0...9_999).contains(day.year) else {
      return nil
    }
    let ofDay = Int(seconds) - day.daysSince1970 * 86_400
    let hour = ofDay / 3_600
    return elements.map { element in
      switch element {
      case .literal(let byte): String(Unicode.Scalar(byte))
      case .number(let part, _, let digits):
        switch part {
        case .year: Self.padded(day.year, digits)
        case .shortYear: Self.padded(day.year % 100, digits)
        case .month: Self.padded(day.month, digits)
        case .day: Self.padded(day.day, digits)
        case .hour: Self.padded(hour, digits)
        case .hour12: Self.padded((hour + 11) % 12 + 1, digits)
        case .minute: Self.padded(ofDay / 60 % 60, digits)
        case .second: Self.padded(ofDay % 60, digits)
        }
      case .fraction:
        Self.padded(Int((referenceSeconds + Self.secondsTo2001 - seconds) * 1_000), 3)
      case .monthName: Self.months[day.month - 1].prefix(3).capitalized
      case .dayName: Self.days[((day.daysSince1970 + 3) % 7 + 7) % 7].prefix(3).capitalized
      case .half: hour < 12 ? "AM" : "PM"
      case .zone: "+0000"
      }
    }.joined()
  }

  private static let secondsTo2001 = 978_307_200.0

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let days = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// A name, or its first three letters.
  private static func name(
    at start: Int, of utf8: UnsafeBufferPointer<UInt8>, in names: [String]
  ) -> (index: Int, length: Int)? {
    var word: [UInt8] = []
    while start + word.count < utf8.count, utf8[start + word.count] | 0x20 &- 0x61 < 26 {
      word.append(utf8[start + word.count] | 0x20)
    }
    guard word.count >= 3, let index = names.firstIndex(where: { $0.utf8.starts(with: word) })
    else { return nil }
    let hasPoint = start + word.count < utf8.count && utf8[start + word.count] == 0x2E
    return (index, word.count + (hasPoint ? 1 : 0))
  }

  private static func zone(at start: Int, of utf8: UnsafeBufferPointer<UInt8>)
    -> (seconds: Int, length: Int)?
  {
    let rest = String(decoding: utf8[start...], as: UTF8.self)
    for name in ["Z", "z", "UTC", "GMT"] where rest == name { return (0, name.utf8.count) }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" }
    guard digits.count == 4 || digits.count == 2, let number = Int(digits) else { return nil }
    let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
    return (minutes * 60 * (sign == "-" ? -1 : 1), rest.utf8.count)
  }

  // MARK: Recognising

  /// The forms that are recognised by themselves, besides ISO 8601.
  private static let known: [DatePattern] = {
    let days = [
      "dd.MM.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "yyyy/MM/dd", "dd-MM-yyyy", "MM-dd-yyyy",
      "yyyy.MM.dd", "dd MMM yyyy", "dd-MMM-yyyy", "MMM dd, yyyy", "EEE, dd MMM yyyy",
    ]
    let times = [
      "", " HH:mm", " HH:mm:ss", " HH:mm:ss.SSS", " hh:mm a", " hh:mm:ss a",
      "', 'HH:mm", "', 'hh:mm a", " HH:mm:ss Z",
    ]
    return days.flatMap { day in times.compactMap { DatePattern(day, time: $0) } }
      + ["yyyyMMdd", "yyyyMMddHHmmss", "yyyyMMdd'T'HHmmss'Z'"].compactMap { DatePattern($0) }
  }()

  /// The forms under which all of some texts are dates; more than one if day and month may be either
  /// way around.
  static func forms(of texts: [String]) -> [DatePattern] {
    guard !texts.isEmpty else { return [] }
    // The first of those that mean the same.
    var meanings: [[Double?]] = []
    return known.filter { pattern in
      let meaning = texts.map { pattern.referenceSeconds($0) }
      guard !meaning.contains(nil), !meanings.contains(meaning) else { return false }
      meanings.append(meaning)
      return true
    }
  }

  /// The form under which most of some texts are dates; nil if it is fewer than half, or day and month may
  /// be either way around.
  static func mostCommon(in texts: [String]) -> DatePattern? {
    let counts = known.map { pattern in texts.count { pattern.referenceSeconds($0) != nil } }
    guard let most = counts.max(), most > 0, most * 2 >= texts.count else { return nil }
    let best = zip(known, counts).filter { $1 == most }.map(\.0)
    let dates = texts.filter { text in best.contains { $0.referenceSeconds(text) != nil } }
    let forms = forms(of: dates)
    return forms.count == 1 ? forms[0] : nil
  }
}
