import Foundation

extension Value: CustomStringConvertible {
  /// The value as a person reads it.
  ///
  /// Nothing for null; a day alone for a date at midnight UTC, else the day and the time; the shortest digits that read
  /// back as the same double (`3.0` stays a double); `BLOB 48,213 bytes` for bytes.
  public var description: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .double(let value): "\(value)"
    case .decimal(let value): value.description
    case .string(let value): value
    case .bool(let value): value ? "true" : "false"
    case .date(let value):
      ISODate.usual.text(secondsSince1970: value.timeIntervalSince1970)
        ?? "\(value.timeIntervalSince1970) seconds since 1970"
    case .data(let value): "BLOB \(Self.grouped(value.count)) byte\(value.count == 1 ? "" : "s")"
    case .uuid(let value): value.uuidString
    case .url(let value): value.absoluteString
    }
  }

  /// A count with its thousands set apart, as `48,213`.
  package static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    var text = count < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The kind of value, with its article, for sentences.
  package var kindDescription: String {
    switch self {
    case .null: "no value"
    case .integer: "a whole number"
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
