/// How the values of an attribute stand in the store.
///
/// Decoding never fails: a stored value that does not fit its encoding (text in a date column, say) is handed on as it
/// is stored, so that a person sees what is there.
public enum ValueEncoding: String, Hashable, Sendable, Codable {
  /// As they are: integers, doubles, text and bytes.
  case native
  /// Dates as ISO 8601 text: a day, or a day and a time with `T` or a blank between, with or without a zone (UTC without).
  case isoText
  /// Dates as seconds since 1970.
  case unixSeconds
  /// Dates as milliseconds since 1970.
  case unixMilliseconds
  /// Dates as seconds since 2001, as Core Data keeps them.
  case referenceSeconds
  /// Dates as Julian days, as SQLite's `julianday()` gives them.
  case julianDay
  /// Booleans as 0 and 1.
  case booleanInteger
  /// Decimals as numbers.
  case decimalNumber
  /// Decimals as text, exact.
  case decimalText
  /// UUIDs as 16 bytes.
  case uuidData
  /// UUIDs as text.
  case uuidText
  /// URLs as text.
  case urlText
  /// Bytes led by one byte: 1 before the bytes themselves, 2 before the name of a file that holds them.
  ///
  /// A store hands out the file's bytes as if they stood inline, as long as the file is there.
  case externalData
}
