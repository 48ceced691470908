import Foundation

/// The target types of `CAST(x, "type")`.
package enum PredicateCast: String, CaseIterable, Sendable {
  case date, string, number, decimal, integer, double, bool, uuid, url, data, objectID

  /// Creates a type from its name in a predicate, ignoring case; nil for an unknown name.
  package init?(written name: String) {
    switch name.lowercased() {
    case "nsdate", "date": self = .date
    case "nsstring", "string": self = .string
    case "nsnumber", "number": self = .number
    case "nsdecimalnumber", "decimal": self = .decimal
    case "integer", "int", "int64": self = .integer
    case "double", "float": self = .double
    case "bool", "boolean": self = .bool
    case "nsuuid", "uuid": self = .uuid
    case "nsurl", "url": self = .url
    case "nsdata", "data": self = .data
    case "nsmanagedobjectid", "objectid": self = .objectID
    default: return nil
    }
  }

  /// The names to list in error messages.
  static let names = [
    "NSDate", "NSString", "NSNumber", "NSDecimalNumber", "NSUUID", "NSURL", "NSData", "integer",
    "double", "bool",
  ]

  /// Casts a value; null if that is not possible.
  ///
  /// Dates and numbers are converted by seconds since 2001; text is parsed.
  package func value(_ value: Value) -> Value {
    switch self {
    case .objectID: .null
    case .string: string(value)
    case .date: date(value)
    case .number: number(value)
    case .integer: integer(value)
    case .double: number(value).number.map { .double($0.approximation) } ?? .null
    case .decimal: decimal(value)
    case .bool: bool(value)
    case .uuid: reading(value, .uuid) { if case .uuid = $0 { true } else { false } }
    case .url: reading(value, .uri) { if case .url = $0 { true } else { false } }
    case .data: reading(value, .binaryData) { if case .data = $0 { true } else { false } }
    }
  }

  /// The text of a value, of a number as NSNumber's stringValue: a truth is 1 or 0, a whole number has
  /// no point.
  private func string(_ value: Value) -> Value {
    switch value {
    case .null: .null
    case .bool(let truth): .string(truth ? "1" : "0")
    case .double(let number):
      .string(
        Int64(exactly: number).map { $0.magnitude < 1_000_000_000_000_000 ? String($0) : nil }
          .flatMap(\.self) ?? value.description)
    default: .string(value.description)
    }
  }

  private func reading(_ value: Value, _ type: AttributeType, _ isDone: (Value) -> Bool) -> Value {
    if isDone(value) { return value }
    return value.text.flatMap { AttributeDescription.reading($0, as: type) } ?? .null
  }

  private func date(_ value: Value) -> Value {
    switch value {
    case .date: value
    case .string(let text): AttributeDescription.reading(text, as: .date) ?? .null
    default:
      value.number.map { .date(Date(timeIntervalSinceReferenceDate: $0.approximation)) } ?? .null
    }
  }

  private func number(_ value: Value) -> Value {
    switch value {
    case .integer, .double, .decimal: value
    case .bool(let truth): .integer(truth ? 1 : 0)
    case .date(let date): .double(date.timeIntervalSinceReferenceDate)
    case .string(let text):
      Int64(text).map(Value.integer) ?? AttributeDescription.reading(text, as: .double) ?? .null
    default: .null
    }
  }

  private func integer(_ value: Value) -> Value {
    switch number(value) {
    case .integer(let whole): .integer(whole)
    case let other:
      other.number.flatMap { Int64(exactly: $0.approximation.rounded(.towardZero)) }
        .map(Value.integer) ?? .null
    }
  }

  private func decimal(_ value: Value) -> Value {
    if case .string(let text) = value {
      return Number.decimal(text: text).map(Value.decimal) ?? .null
    }
    return number(value).number?.exact.map(Value.decimal) ?? .null
  }

  private func bool(_ value: Value) -> Value {
    if case .string(let text) = value {
      return AttributeDescription.reading(text, as: .boolean) ?? .null
    }
    return number(value).number.map { .bool($0.approximation != 0) } ?? .null
  }
}
