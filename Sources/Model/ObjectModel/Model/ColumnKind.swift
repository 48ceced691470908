/// What a person can say that a column of a plain database is.
///
/// The raw values are the words of `--type` and `:type`.
package enum ColumnKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// Numbers as they are stored.
  case number
  /// Text.
  case text
  /// Booleans as 0 and 1.
  case boolean
  /// Text that is JSON.
  case json
  /// UUIDs, as text or as 16 bytes.
  case uuid
  /// Bytes.
  case bytes
  /// Dates as ISO 8601 text.
  case dateText = "date"
  /// Dates as seconds since 1970.
  case date1970
  /// Dates as milliseconds since 1970.
  case date1970ms
  /// Dates as microseconds since 1970.
  case date1970us
  /// Dates as nanoseconds since 1970.
  case date1970ns
  /// Dates as seconds since 2001.
  case date2001
  /// Dates as nanoseconds since 2001.
  case date2001ns
  /// Dates as microseconds since 1601, as Chromium stores them.
  case webkit
  /// Dates as 100 nanoseconds since 1601, as Windows stores them.
  case filetime
  /// Dates as 100 nanoseconds since the year 1, as .NET stores them.
  case ticks
  /// Dates as Julian days.
  case julian
  /// Dates as days since 1899-12-30, as spreadsheets store them.
  case ole
  /// Days as numbers such as 20240501.
  case yyyymmdd
  /// What the values show.
  case auto

  /// What a column of the kind holds, as "seconds since 2001".
  package var phrase: String {
    switch self {
    case .number: "numbers"
    case .text: "text"
    case .boolean: "booleans"
    case .json: "JSON"
    case .uuid: "UUIDs"
    case .bytes: "bytes"
    case .dateText: "dates as text"
    case .date1970: "seconds since 1970"
    case .date1970ms: "milliseconds since 1970"
    case .date1970us: "microseconds since 1970"
    case .date1970ns: "nanoseconds since 1970"
    case .date2001: "seconds since 2001"
    case .date2001ns: "nanoseconds since 2001"
    case .webkit: "microseconds since 1601 (WebKit)"
    case .filetime: "100 nanoseconds since 1601 (FILETIME)"
    case .ticks: "100 nanoseconds since the year 1 (.NET)"
    case .julian: "Julian days"
    case .ole: "days since 1899-12-30 (OLE)"
    case .yyyymmdd: "days as yyyymmdd"
    case .auto: "what the values tell"
    }
  }

  /// The encoding of dates of the kind; nil for any other kind.
  package var dateEncoding: ValueEncoding? {
    switch self {
    case .dateText: .isoText
    case .date1970: .unixSeconds
    case .date1970ms: .unixMilliseconds
    case .date1970us: .unixMicroseconds
    case .date1970ns: .unixNanoseconds
    case .date2001: .referenceSeconds
    case .date2001ns: .referenceNanoseconds
    case .webkit: .webKitMicroseconds
    case .filetime: .fileTime
    case .ticks: .dotNetTicks
    case .julian: .julianDay
    case .ole: .oleDays
    case .yyyymmdd: .calendarNumber
    case .number, .text, .boolean, .json, .uuid, .bytes, .auto: nil
    }
  }

  /// The kind of dates of an encoding; nil for another encoding.
  package init?(dateEncoding: ValueEncoding) {
    guard let kind = Self.allCases.first(where: { $0.dateEncoding == dateEncoding }) else {
      return nil
    }
    self = kind
  }
}
