import Foundation
import ObjectModel

extension Value {
  /// The stored value whose comparison in SQL has the same result as this value's in memory; nil
  /// for null and if there is none.
  var comparisonValue: Value? {
    switch self {
    case .null: nil
    case .decimal(let number): Self.comparisonValue(of: number)
    case .double(let number): number.isNaN ? nil : self
    case .integer, .string, .data: self
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .date(let date): .double(date.timeIntervalSince1970)
    case .uuid(let uuid): .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case .url(let url): .string(url.absoluteString)
    }
  }

  /// The double of a decimal; nil if the double's shortest form is another decimal.
  private static func comparisonValue(of decimal: Decimal) -> Value? {
    let nearest = Number.decimal(decimal).approximation
    return Number.decimal(nearest) == decimal ? .double(nearest) : nil
  }

  /// Whether SQLite compares this value as a number.
  var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal, .bool, .date: true
    case .null, .string, .data, .uuid, .url: false
    }
  }

  /// Whether this is a date, which is comparable with dates only.
  var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// Folded text; any other value unchanged.
  func folded(_ options: FetchPredicate.Options) -> Value {
    guard case .string(let text) = self, !options.isEmpty else { return self }
    return .string(TextFolding.fold(text, options.folding))
  }

  /// The least value of the same storage class in SQLite's order, as SQL.
  ///
  /// Numbers come first and need no bound, but SQLite prefers an index for a range with two bounds.
  var leastOfKind: SQL {
    switch self {
    case .string, .url: "''"
    case .data, .uuid: "x''"
    default: "-9e999"
    }
  }

  /// The least value of the next storage class in SQLite's order, as SQL; nil for blobs, the last
  /// one.
  var leastOfNextKind: SQL? {
    switch self {
    case .string, .url: "x''"
    case .data, .uuid: nil
    default: "''"
    }
  }
}

extension SQL {
  /// The largest number of values that are bound one by one.
  private static let longestList = 500

  /// The right side of IN; nil for a long list that contains doubles or blobs, which cannot be
  /// bound as one JSON text.
  static func list(_ values: [Value]) -> SQL? {
    guard values.count > longestList else {
      return "(\(values))"
    }
    var json = "["
    for value in values {
      if json.utf8.count > 1 { json += "," }
      switch value {
      case .integer(let number): json += String(number)
      case .string(let text):
        guard let quoted = jsonString(text) else { return nil }
        json += quoted
      default: return nil
      }
    }
    return "(SELECT value FROM json_each(\(Value.string(json + "]"))))"
  }

  /// A JSON string; nil for text with a NUL, at which SQLite's JSON parser stops.
  private static func jsonString(_ text: String) -> String? {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\0": return nil
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{1}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
