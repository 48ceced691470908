import Foundation
import ObjectModel

/// Decides by which clock the numbers of a column are dates, if they are: see the article
/// *What a column is*.
struct DateEvidence {
  /// What was found.
  enum Finding: Hashable {
    /// The numbers are no dates.
    case none
    /// They are dates by this clock.
    case certain(ValueEncoding)
    /// They are dates by one of these clocks if other columns of the database are certainly so.
    case open([ValueEncoding])
  }

  let sample: ColumnSample
  let name: DateName
  /// Whether the declared type is one of dates.
  let isDeclared: Bool
  /// The present, which dates of the past are not after.
  let now: Date

  private static let encodings: [ValueEncoding] = [
    .unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .referenceSeconds,
    .referenceNanoseconds, .webKitMicroseconds, .fileTime, .dotNetTicks, .julianDay, .oleDays,
  ]

  private var grade: DateName.Grade { isDeclared ? .certain : name.grade }

  var finding: Finding {
    guard sample.isNumbers, grade > .none || name.isJulian || name.isTicks else { return .none }
    if sample.isCalendarDays {
      return grade == .certain || name.isDay ? .certain(.calendarNumber) : .none
    }
    var readings = Self.encodings.filter(isPlausible)
    if readings.count > 1 {
      // What would be in the future is less likely than what was, and the nearer future more likely.
      func end(_ encoding: ValueEncoding) -> Double { dates(by: encoding)?.upperBound ?? .infinity }
      let past = readings.filter { end($0) <= year(after: 1) }
      readings = past.isEmpty ? readings.min { end($0) < end($1) }.map { [$0] } ?? [] : past
    }
    return readings.count > 1 ? choice(among: readings) : readings.first.map(only) ?? .none
  }

  // MARK: One reading

  private func only(_ encoding: ValueEncoding) -> Finding {
    switch encoding {
    // Numbers of this size may be durations, sizes or keys as well: a REAL is Cocoa's habit.
    case .referenceSeconds:
      return sample.isReal && grade == .certain || isDeclared
        ? .certain(encoding) : .open([encoding])
    case .unixSeconds:
      guard grade < .certain else { return .certain(encoding) }
      let isRecent = dates(by: encoding).map { $0.lowerBound > Self.year2000 } ?? false
      let isAgreed = isRecent && sample.measureCount > 2 && sample.hasSpread
      return isAgreed && dates(by: encoding).map { $0.upperBound <= year(after: 2) } ?? false
        ? .certain(encoding) : .open([encoding])
    // Keys and hashes have as many digits.
    case .unixNanoseconds, .referenceNanoseconds, .dotNetTicks:
      return grade == .certain || name.isTicks ? .certain(encoding) : .open([encoding])
    default: return .certain(encoding)
    }
  }

  // MARK: Several readings

  private func choice(among readings: [ValueEncoding]) -> Finding {
    switch Set(readings) {
    case [.unixSeconds, .referenceSeconds]:
      // SQLite is of the year 2000: no earlier moment was written as REAL.
      if sample.isReal { return .certain(.referenceSeconds) }
      return isDeclared || name.tense == .birth ? .certain(.unixSeconds) : .open(readings)
    case let set where name.isTicks && set.contains(.dotNetTicks): return .certain(.dotNetTicks)
    default: return .open(readings)
    }
  }

  // MARK: Plausible dates

  /// The first and the last date of the sample; nil if its numbers are none.
  func dates(by encoding: ValueEncoding) -> ClosedRange<Double>? {
    guard let bounds = sample.bounds,
      case .date(let first) = encoding.decode(.double(bounds.lowerBound)),
      case .date(let last) = encoding.decode(.double(bounds.upperBound)), first <= last
    else { return nil }
    return first.timeIntervalSince1970...last.timeIntervalSince1970
  }

  /// Whether the numbers of the sample are dates that the name allows.
  func isPlausible(_ encoding: ValueEncoding) -> Bool {
    guard let dates = dates(by: encoding), let bounds = sample.bounds,
      dates.upperBound <= latest
    else { return false }
    switch encoding {
    case .unixSeconds where name.tense == .birth:
      return dates.lowerBound > Self.year1900
        && min(bounds.lowerBound.magnitude, bounds.upperBound.magnitude) > 1e7
    // Archives and cameras begin in 1980, but nothing else ends before 1990.
    case .unixSeconds:
      return dates.lowerBound >= (dates.upperBound >= Self.year2000 ? Self.year1980 : Self.year1990)
    case .unixMilliseconds, .unixMicroseconds, .webKitMicroseconds, .fileTime, .dotNetTicks:
      return dates.lowerBound >= Self.year1980
    case .unixNanoseconds: return dates.lowerBound >= Self.year2000
    case .referenceSeconds: return bounds.lowerBound >= 1e8
    case .referenceNanoseconds: return bounds.lowerBound >= 2.5e17
    case .julianDay:
      return (isDeclared || name.isJulian || grade == .certain) && sample.isReal
        && (2_378_496.5..<2_524_958.5).contains(bounds.lowerBound)
    case .oleDays:
      return grade == .certain && sample.fractionCount > 0 && dates.lowerBound >= Self.year1990
    default: return false
    }
  }

  /// The latest plausible date, in seconds since 1970.
  private var latest: Double {
    switch name.tense {
    case .past, .birth: year(after: 2)
    case .future: Self.year2101
    case .unknown: year(after: 20)
    }
  }

  private func year(after years: Double) -> Double {
    now.timeIntervalSince1970 + years * 365.25 * 86_400
  }

  private static let year1900 = -2_208_988_800.0
  private static let year1980 = 315_532_800.0
  private static let year1990 = 631_152_000.0
  private static let year2000 = 946_684_800.0
  private static let year2101 = 4_133_980_800.0
}
