import Foundation

/// How the values of an attribute are stored in SQLite.
///
/// Decoding never fails: a stored value that does not match its encoding (such as text in a column
/// of dates in seconds) is returned unchanged, so that a person sees what is stored.
public enum ValueEncoding: String, Hashable, Sendable, Codable, CaseIterable {
  /// Integers, doubles, text and data, stored unchanged.
  case native
  /// Dates as ISO 8601 text, with or without a time and a time zone; UTC without a zone.
  ///
  /// Exact: the text has as many digits as the date needs.
  case isoText
  /// Dates as seconds since 1970-01-01 UTC, rounded to a quarter of a microsecond.
  case unixSeconds
  /// Dates as milliseconds since 1970-01-01 UTC, rounded to them.
  case unixMilliseconds
  /// Dates as microseconds since 1970-01-01 UTC, rounded to them; Firefox's `PRTime`.
  case unixMicroseconds
  /// Dates as nanoseconds since 1970-01-01 UTC, rounded to what `Date` keeps.
  case unixNanoseconds
  /// Dates as seconds since 2001-01-01 UTC, as in Core Data stores; exact.
  case referenceSeconds
  /// Dates as nanoseconds since 2001-01-01 UTC, as in the database of Messages, rounded to what
  /// `Date` keeps.
  case referenceNanoseconds
  /// Dates as microseconds since 1601-01-01 UTC, as in the databases of Chromium; 0 is no date.
  case webKitMicroseconds
  /// Dates as 100 nanoseconds since 1601-01-01 UTC, as Windows counts; 0 is no date.
  case fileTime
  /// Dates as 100 nanoseconds since 0001-01-01 UTC, as .NET counts; 0 is no date.
  case dotNetTicks
  /// Dates as Julian day numbers, as SQLite's `julianday()` returns them, rounded to some 40
  /// microseconds.
  case julianDay
  /// Dates as days since 1899-12-30 UTC, as OLE and spreadsheets count; 0 is no date.
  case oleDays
  /// Days as the number that their digits make, such as 20240501.
  case calendarNumber
  /// Booleans as 0 and 1.
  case booleanInteger
  /// Decimals as integers or doubles, exact to about 15 digits.
  case decimalNumber
  /// Decimals as text, which is exact.
  case decimalText
  /// UUIDs as 16 bytes.
  case uuidData
  /// UUIDs as text: with or without hyphens or braces, in capitals or small letters.
  case uuidText
  /// URLs as text.
  case urlText
  /// Core Data's external binary data: a prefix byte, 1 before inline bytes or 2 before the name of
  /// an external file (core-data-stores 4.6).
  ///
  /// A store returns the bytes of the external file as if they were inline, as long as the file
  /// exists.
  case externalData
}

extension ValueEncoding {
  /// The clock by which stored numbers are dates; nil for another encoding.
  package var clock: DateClock? { DateClock(self) }

  /// Whether values are dates.
  package var isDate: Bool { self == .isoText || isNumberOfDate }

  /// Whether values are dates that are stored as numbers.
  package var isNumberOfDate: Bool { self == .calendarNumber || clock != nil }
}

extension AttributeDescription {
  /// Returns the name of the external file that a stored value refers to (core-data-stores 4.6).
  ///
  /// While the file exists, a store returns its bytes in place of the reference; so a reference is
  /// only seen if the file is missing.
  ///
  /// - Parameter stored: A value as SQLite stores it.
  /// - Returns: The file name, a UUID; nil if the value is not a reference.
  package func externalFileName(in stored: Value) -> String? {
    encoding == .externalData ? stored.externalFileName : nil
  }
}

extension Value {
  /// The name of the external file that a stored value refers to; nil if it is not a reference.
  ///
  /// Only a UUID is accepted, so that a reference never leads out of the store's folder.
  package var externalFileName: String? {
    guard case .data(let data) = self, data.count == 38, data.first == 2, data.last == 0 else {
      return nil
    }
    let name = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    return name.utf8.count == 36 && UUID(uuidString: name) != nil ? name : nil
  }
}
