import Foundation

extension Value: CustomStringConvertible {
  /// The value as text for a person.
  ///
  /// Empty for null; a date at midnight UTC without its time; a double as the shortest text that
  /// parses back to it (`3.0` keeps its point); `BLOB 48,213 bytes` for data.
  public var description: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .double(let value): "\(value)"
    case .decimal(let value): value.description
    case .string(let value): value
    case .bool(let value): value ? "true" : "false"
    case .date(let value):
      ISODate.standard.text(
        value.timeIntervalSinceReferenceDate,
        since: Int(Date.timeIntervalBetween1970AndReferenceDate))
        ?? "\(value.timeIntervalSince1970) seconds since 1970"
    case .data(let value): Self.description(ofBytes: value.count)
    case .uuid(let value): value.uuidString
    case .url(let value): value.absoluteString
    }
  }

  /// What stands for data of a number of bytes.
  package static func description(ofBytes count: Int) -> String {
    "BLOB \(grouped(count)) byte\(count == 1 ? "" : "s")"
  }

  /// Formats a count with thousands separators, as `48,213`.
  package static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The kind of value with its article, for error messages.
  var kindDescription: String {
    switch self {
    case .null: "no value"
    case .integer: "an integer"
    case .double, .decimal: "a number"
    case .string: "text"
    case .bool: "true or false"
    case .date: "a date"
    case .data: "bytes"
    case .uuid: "a UUID"
    case .url: "a URL"
    }
  }
}
