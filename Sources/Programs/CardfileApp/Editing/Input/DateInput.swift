import Foundation
import ObjectModel

/// A date as a person types it: `2024-05-01`, `1 May 2024 13:45`, `13:45`, `tomorrow`, `+3d`.
///
/// Like the dates on the screen it is in UTC, unless it has a time zone.
nonisolated struct DateInput {
  /// The examples of an error message.
  static let examples = "2024-05-01, 1 May 2024 13:45, 13:45, today, +3d"

  /// The present, which relative dates are counted from.
  let now: Date
  /// The date that is edited, whose day a time of day belongs to; nil for none.
  var former: Date?

  /// Reads a date; nil if the text is not one.
  func date(from text: String) -> Date? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if let date = ISODate(text) {
      return Date(timeIntervalSinceReferenceDate: date.referenceSeconds)
    }
    var words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    if words.count == 1, words[0] == "now" { return wholeSecond(now) }
    if words.count == 1, let date = shifted(by: words[0]) { return date }
    var seconds: Double?
    if let last = words.last, let time = Self.timeOfDay(last) {
      seconds = time
      words.removeLast()
    }
    guard !words.isEmpty else {
      return seconds.map { Self.date(day(of: former ?? now), seconds: $0) }
    }
    return day(from: words).map { Self.date($0, seconds: seconds ?? 0) }
  }

  /// A date as it was understood: `Wednesday 2024-05-01 13:45:00 UTC`.
  static func words(for date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    guard let day = CivilDate(secondsSince1970: seconds), (0...9999).contains(day.year) else {
      return Value.date(date).description
    }
    let names = [
      "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
    ]
    let name = names[(day.daysSince1970 % 7 + 7) % 7]
    return "\(name) \(Value.date(date)) UTC"
  }

  // MARK: Days

  private func day(from words: [String]) -> CivilDate? {
    if words.count == 1 {
      let today = day(of: now)
      switch words[0] {
      case "today": return today
      case "tomorrow": return Self.day(today.daysSince1970 + 1)
      case "yesterday": return Self.day(today.daysSince1970 - 1)
      default: break
      }
      if let date = ISODate(words[0]) { return CivilDate(secondsSince1970: date.seconds) }
      let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      return Self.checked(year: Self.year(parts[2]), month: Int(parts[1]), day: Int(parts[0]))
    }
    guard words.count <= 3, let index = words.firstIndex(where: { Self.month($0) != nil }) else {
      return nil
    }
    var numbers = words
    let month = Self.month(numbers.remove(at: index))
    let year = numbers.count == 2 ? Self.year(numbers[1]) : day(of: now).year
    return Self.checked(year: year, month: month, day: Self.ordinal(numbers[0]))
  }

  /// Four digits: a year of two would be a guess.
  private static func year(_ text: some StringProtocol) -> Int? {
    text.count == 4 && text.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
  }

  private static func ordinal(_ text: String) -> Int? {
    let digits = text.prefix(while: \.isASCIIDigit)
    let rest = text.dropFirst(digits.count)
    return ["", ".", "st", "nd", "rd", "th"].contains(rest) ? Int(digits) : nil
  }

  private static func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    guard word.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(word) || word == "sept" && $0 == "september" }
      .map { $0 + 1 }
  }

  private static func checked(year: Int?, month: Int?, day: Int?) -> CivilDate? {
    guard let year, let month, let day, (0...9999).contains(year) else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard (1...12).contains(month), date.daysSince1970 < Int.max,
      Self.day(date.daysSince1970) == date
    else { return nil }
    return date
  }

  // MARK: Times

  /// Seconds since midnight; nil if the text is not a time such as `13:45`, `9:05:30` or `1:45pm`.
  private static func timeOfDay(_ text: String) -> Double? {
    var text = text[...]
    var half: Int?
    for (suffix, hours) in [("am", 0), ("pm", 12)] where text.hasSuffix(suffix) {
      half = hours
      text = text.dropLast(2)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) || half != nil && parts.count == 1,
      parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) }),
      var hour = Int(parts[0])
    else { return nil }
    let minute = parts.count > 1 ? Int(parts[1]) ?? 60 : 0
    let second = parts.count > 2 ? Int(parts[2]) ?? 60 : 0
    if let half {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + half
    }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return Double(hour * 3_600 + minute * 60 + second)
  }

  /// A date relative to now: `+3d`, `-2w`, `+1mo`, `+1y` in days, `+90min`, `-2h` to the second.
  private func shifted(by text: String) -> Date? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().prefix(while: \.isASCIIDigit)
    guard let count = Int(digits), count < 1_000_000 else { return nil }
    let number = sign == "-" ? -count : count
    let today = day(of: now)
    switch text.dropFirst(1 + digits.count) {
    case "d": return Self.date(Self.day(today.daysSince1970 + number), seconds: 0)
    case "w": return Self.date(Self.day(today.daysSince1970 + 7 * number), seconds: 0)
    case "mo": return Self.date(Self.month(number, after: today), seconds: 0)
    case "y": return Self.date(Self.month(12 * number, after: today), seconds: 0)
    case "h": return wholeSecond(now.addingTimeInterval(Double(number) * 3_600))
    case "min": return wholeSecond(now.addingTimeInterval(Double(number) * 60))
    default: return nil
    }
  }

  /// The same day of another month, or its last one.
  private static func month(_ number: Int, after day: CivilDate) -> CivilDate? {
    let months = day.year * 12 + day.month - 1 + number
    let year = (months - (months % 12 + 12) % 12) / 12
    let month = months - year * 12 + 1
    return (0...3).lazy.compactMap {
      checked(year: year, month: month, day: day.day - $0)
    }.first
  }

  private func day(of date: Date) -> CivilDate {
    CivilDate(secondsSince1970: date.timeIntervalSince1970)
      ?? CivilDate(year: 1970, month: 1, day: 1)
  }

  private static func day(_ daysSince1970: Int) -> CivilDate? {
    CivilDate(secondsSince1970: Double(daysSince1970) * 86_400)
  }

  private static func date(_ day: CivilDate?, seconds: Double) -> Date? {
    day.map { date($0, seconds: seconds) }
  }

  private static func date(_ day: CivilDate, seconds: Double) -> Date {
    Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400 + seconds)
  }

  private func wholeSecond(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }
}

extension Character {
  nonisolated fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
