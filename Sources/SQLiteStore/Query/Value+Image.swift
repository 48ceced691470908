import Foundation
import ObjectModel

extension Value {
  /// The stored value that compares in SQL as this one does in memory; nil for null and where there is none.
  var image: Value? {
    switch self {
    case .null: nil
    case .decimal(let number): Self.image(of: number)
    case .double(let number): number.isNaN ? nil : self
    case .integer, .string, .data: self
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .date(let date): .double(date.timeIntervalSince1970)
    case .uuid(let uuid): .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case .url(let url): .string(url.absoluteString)
    }
  }

  /// A decimal as a double, where no other decimal is the same double in its shortest form.
  private static func image(of decimal: Decimal) -> Value? {
    let nearest = Number.decimal(decimal).approximation
    return Number.decimal(nearest) == decimal ? .double(nearest) : nil
  }

  /// Whether this is a number as SQLite sees it.
  var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal, .bool, .date: true
    case .null, .string, .data, .uuid, .url: false
    }
  }

  /// Whether this is a moment, which is comparable with moments alone.
  var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// Text folded; anything else as it is.
  func folded(_ options: FetchPredicate.Options) -> Value {
    guard case .string(let text) = self, !options.isEmpty else { return self }
    return .string(TextFolding.fold(text, options.folding))
  }

  /// The least value of this one's kind in SQLite's order, as SQL.
  ///
  /// Numbers are the first kind and need no bound, but with two bounds SQLite prefers an index.
  var leastOfKind: SQL {
    switch self {
    case .string, .url: "''"
    case .data, .uuid: "x''"
    default: "-9e999"
    }
  }

  /// The least value of the kind after this one's in SQLite's order, as SQL; bytes are the last.
  var leastOfNextKind: SQL? {
    switch self {
    case .string, .url: "x''"
    case .data, .uuid: nil
    default: "''"
    }
  }
}

extension SQL {
  /// How many values a list holds at most before it is bound as one.
  private static let longestList = 500

  /// The right side of IN; nil for a long list of mixed kinds or bytes, which SQLite could not take as one binding.
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

  /// Text as JSON; nil when it holds a NUL, at which SQLite's JSON ends.
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
