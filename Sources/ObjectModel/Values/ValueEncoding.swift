/// How the values of an attribute are stored in SQLite.
///
/// Decoding never fails: a stored value that does not match its encoding (such as text in a column
/// of dates in seconds) is returned unchanged, so that a person sees what is stored.
public enum ValueEncoding: String, Hashable, Sendable, Codable {
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
  /// Dates as seconds since 2001-01-01 UTC, as in Core Data stores; exact.
  case referenceSeconds
  /// Dates as Julian day numbers, as SQLite's `julianday()` returns them, rounded to some 40
  /// microseconds.
  case julianDay
  /// Booleans as 0 and 1.
  case booleanInteger
  /// Decimals as integers or doubles, exact to about 15 digits.
  case decimalNumber
  /// Decimals as text, which is exact.
  case decimalText
  /// UUIDs as 16 bytes.
  case uuidData
  /// UUIDs as text.
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
