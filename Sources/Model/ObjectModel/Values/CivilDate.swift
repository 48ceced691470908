/// A day of the proleptic Gregorian calendar, in UTC.
package struct CivilDate: Hashable, Sendable {
  /// The year; 0 is 1 BC.
  package var year: Int
  /// The month, 1 to 12.
  package var month: Int
  /// The day of the month, 1 to 31.
  package var day: Int

  /// Creates a day; the parts are not checked.
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day of a point in time.
  ///
  /// - Parameter secondsSince1970: The time in seconds since 1970-01-01 UTC. The result is nil if
  ///   it is not finite or more than three million years away.
  package init?(secondsSince1970: Double) {
    guard secondsSince1970.magnitude < 1e14 else { return nil }
    self.init(daysSince1970: Int((secondsSince1970 / 86_400).rounded(.down)))
  }

  /// Creates a day from its number.
  ///
  /// - Parameter daysSince1970: The number of days since 1970-01-01; negative before it.
  init(daysSince1970: Int) {
    // Counted in eras of 400 years that begin on 1 March, so that a leap day is the last day of its
    // year.
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
  }

  /// The number of days since 1970-01-01; negative before it.
  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The number of days in a month; 0 for an invalid month.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 0
    }
  }

  /// The year, as `2024`.
  package var yearText: String {
    let digits = String(year.magnitude)
    return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The month, as `2024-05`.
  package var monthText: String { yearText + "-" + Self.twoDigits(month) }

  /// The day, as `2024-05-01`.
  package var dayText: String { monthText + "-" + Self.twoDigits(day) }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
