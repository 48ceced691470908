import Foundation
import ObjectModel

/// How the values of one kind are written and read: in addresses and in bodies.
struct ODataValue {
  let kind: ODataModel.Kind

  init(_ kind: ODataModel.Kind) { self.kind = kind }

  /// A decoded value as a literal of an address, without percent-encoding.
  ///
  /// - Returns: Nil if the kind has no literal that stands for exactly this value.
  func literal(_ value: Value) -> String? {
    switch (kind, value) {
    case (_, .null): "null"
    case (.primitive(.boolean, _), _): Self.truth(value).map { $0 ? "true" : "false" }
    case (.primitive(.byte, _), _), (.primitive(.signedByte, _), _), (.primitive(.int16, _), _),
      (.primitive(.int32, _), _), (.primitive(.int64, _), _), (.primitive(.decimal, _), _):
      Self.number(value)
    case (.primitive(.double, _), _): Self.double(value)
    case (.primitive(.string, _), .string(let text)): Self.quoted(text)
    case (.primitive(.guid, _), .uuid(let id)): id.uuidString.lowercased()
    case (.primitive(.guid, _), .string(let text)):
      UUID(uuidString: text)?.uuidString.lowercased()
    case (.primitive(.date, _), .date(let date)): Self.day(date)
    case (.primitive(.dateTimeOffset, _), .date(let date)): Self.moment(date)
    case (.primitive(.timeOfDay, _), .string(let text)): Self.isTime(text) ? text : nil
    case (.primitive(.duration, _), .string(let text)):
      Self.isDuration(text) ? "duration'\(text)'" : nil
    case (.primitive(.binary, _), .data(let data)): "binary'\(Self.base64URL(data))'"
    case (.enumeration(let name, let members, isFlags: false), .string(let text)):
      members.contains(text) ? "\(name)'\(text)'" : nil
    default: nil
    }
  }

  /// The value of a text that is a literal without its marks, as a default value; null if it
  /// cannot be read.
  func value(url text: String) -> Value {
    guard case .primitive(let type, _) = kind else { return .string(text) }
    switch type {
    case .boolean: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .null
    case .byte, .signedByte, .int16, .int32, .int64:
      return Int64(text).map { .integer($0) } ?? .null
    case .decimal: return Self.decimal(text).map { .decimal($0) } ?? .null
    case .single, .double: return Double(text).map { .double($0) } ?? .null
    case .string, .timeOfDay, .duration: return .string(text)
    case .guid: return UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .date, .dateTimeOffset:
      return ISODate(text).map { .date(Date(timeIntervalSinceReferenceDate: $0.referenceSeconds)) }
        ?? .null
    case .binary: return Self.data(base64: text).map { .data($0) } ?? .null
    }
  }

  /// A decoded value as a body has it.
  func json(_ value: Value) -> JSONValue {
    switch (kind, value) {
    case (.primitive(.binary, _), .data(let data)): .string(Self.base64URL(data))
    case (.primitive(.date, _), .date(let date)):
      Self.day(date).map { .string($0) } ?? JSONValue(value)
    case (.primitive(.double, _), .double(let number)) where !number.isFinite:
      .string(number.isNaN ? "NaN" : number < 0 ? "-INF" : "INF")
    default: JSONValue(value)
    }
  }

  /// A value of a body, decoded; nil if it is not of the kind.
  func value(_ json: JSONValue) -> Value? {
    switch (kind, json) {
    case (_, .null): return .null
    case (.json, _): return .string(json.text)
    case (.enumeration, _): return .string(json.string ?? json.text)
    case (.primitive(.boolean, _), .bool(let truth)): return .bool(truth)
    case (.primitive(.boolean, _), _), (_, .bool), (_, .array), (_, .object): return nil
    case (.primitive(.string, _), .string(let text)): return .string(text)
    case (.primitive(.string, _), _): return nil
    case (.primitive(let type, _), _):
      if type.isInteger, let number = json.integer { return .integer(number) }
      // Numbers may be texts, so that they keep their digits in JavaScript.
      let text = json.string ?? json.text
      switch (type.attributeType, text) {
      case (.double, "INF"), (.float, "INF"): return .double(.infinity)
      case (.double, "-INF"), (.float, "-INF"): return .double(-.infinity)
      case (.double, "NaN"), (.float, "NaN"): return .double(.nan)
      default: break
      }
      let value = value(url: text)
      return value.isNull ? nil : value
    }
  }

  /// A text in quotation marks.
  static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }

  static func truth(_ value: Value) -> Bool? {
    switch value {
    case .bool(let truth): truth
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// A number as plain digits; nil if it has none that stand for its exact value.
  ///
  /// A double with a fraction counts as the shortest decimal that parses back to it, here as there.
  private static func number(_ value: Value) -> String? {
    switch value {
    case .integer(let number): return "\(number)"
    case .bool(let truth): return truth ? "1" : "0"
    case .decimal(let number): return number.isNaN ? nil : "\(number)"
    case .double(let number):
      guard number.magnitude < 1e15, number.magnitude > 1e-15 || number == 0 else { return nil }
      return Number.decimal(number).map { "\($0)" }
    default: return nil
    }
  }

  /// A number that is the same as a double.
  private static func double(_ value: Value) -> String? {
    switch value {
    case .double(let number): number.isFinite ? "\(number)".replacing("e+", with: "e") : nil
    case .integer(let number): number.magnitude <= 1 << 53 ? "\(number)" : nil
    case .decimal(let number):
      Number.decimal(Number.decimal(number).approximation) == number ? "\(number)" : nil
    default: Self.number(value)
    }
  }

  static func decimal(_ text: String) -> Decimal? {
    Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// The day of a date at midnight UTC; nil for any other date.
  private static func day(_ date: Date) -> String? {
    guard let text = ISODate("2001-01-01")?.exactText(referenceSeconds: date.referenceSeconds)
    else { return nil }
    return text.utf8.count == 10 ? text : nil
  }

  /// A date with its time in UTC; nil outside of the years 0 to 9999.
  static func moment(_ date: Date) -> String? {
    ISODate("2001-01-01T00:00:00Z")?.text(date.referenceSeconds, since: 978_307_200)
      .map { Self.withMicroseconds($0, date) }
  }

  /// The text to the microsecond if it has parts of a second.
  private static func withMicroseconds(_ text: String, _ date: Date) -> String {
    guard date.referenceSeconds.rounded() != date.referenceSeconds else { return text }
    return ISODate("2001-01-01T00:00:00.000000Z")?
      .text(date.referenceSeconds, since: 978_307_200) ?? text
  }

  /// Whether a text is a time of day as OData writes it: `13:45`, `13:45:00.123`.
  private static func isTime(_ text: String) -> Bool {
    ISODate("2001-01-01T\(text)Z") != nil && text.utf8.count >= 5
  }

  /// Whether a text is a duration in days and seconds: `-P6DT23H59M59.9999S`.
  private static func isDuration(_ text: String) -> Bool {
    let pattern = #/-?P(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?/#
    return text.wholeMatch(of: pattern) != nil && text.last != "P"
  }

  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// Bytes of base64 in either alphabet, with or without padding.
  static func data(base64 text: String) -> Data? {
    let plain = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    let bare = plain.prefix { $0 != "=" }
    return Data(base64Encoded: bare + String(repeating: "=", count: (4 - bare.count % 4) % 4))
  }
}

extension Date {
  /// Seconds since 2001-01-01 UTC.
  fileprivate var referenceSeconds: Double { timeIntervalSinceReferenceDate }
}

extension JSONValue {
  /// The value as JSON text.
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
